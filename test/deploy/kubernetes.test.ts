import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { deployDir, kustomization, type Manifest, readDeployFile, readManifests } from './deploy-files.js';

const manifests = kustomization.resources.flatMap(readManifests);
const model = {
  Deployment,
  HorizontalPodAutoscaler,
  NetworkPolicy,
  PodDisruptionBudget,
  ConfigMap,
  Namespace,
  PersistentVolumeClaim,
  Secret,
  Service,
};

function asModel(manifest: Manifest): { validate(): void } {
  const known = Object.entries(model).find(([kind]) => kind === manifest.kind)?.[1];
  if (known === undefined) throw new Error(`there is no schema here for ${manifest.kind}`);
  expect(manifest.apiVersion).toBe(known.apiVersion);
  // Its constructor takes what the schema then checks.
  return new (known as new (data: unknown) => { validate(): void })(manifest);
}
const ofKind = <T>(kind: string): readonly T[] =>
  manifests.filter((each) => each.kind === kind).map((each) => each as T);

const deployments = ofKind<InstanceType<typeof Deployment>>('Deployment');
const settings = ofKind<InstanceType<typeof ConfigMap>>('ConfigMap')[0]?.data ?? {};
const secrets = ofKind<InstanceType<typeof Secret>>('Secret')[0]?.stringData ?? {};

test.each(manifests.map((each) => [`${each.kind} ${each.metadata.name}`, each] as const))(
  '%s has the fields of its schema',
  (_, manifest) => {
    expect(() => asModel(manifest).validate()).not.toThrow();
  },
);

test('a field that the schema lacks is found', () => {
  const [first] = deployments;
  const wrong = { ...first, spec: { ...first?.spec, template: { spec: { containers: [{ imag: 1 }] } } } };
  expect(() => asModel(wrong as unknown as Manifest).validate()).toThrow();
});

test('the kustomization has every file but the values of the adapter, and sets the image', () => {
  const files = readdirSync(join(deployDir, 'kubernetes'));
  const others = ['kustomization.yaml', 'prometheus-adapter.yaml'];
  expect([...kustomization.resources, ...others].sort()).toEqual(files.sort());
  expect(kustomization.images.map(({ name }) => name)).toEqual(['lynceus']);
});

describe.each(deployments.map((each) => [each.metadata?.name ?? '', each] as const))('%s', (_, { spec }) => {
  const pod = spec?.template.spec;
  const containers = [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])];

  test('runs without rights: a user in numbers, no capability, a root that is read-only', () => {
    expect(pod?.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 10001,
      runAsGroup: 10001,
      fsGroup: 10001,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { image, securityContext } of containers) {
      expect(image).toBe('lynceus');
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    expect(pod?.automountServiceAccountToken).toBe(false);
  });

  test('sees no variable of the cluster that looks like a setting', () => {
    expect(pod?.enableServiceLinks).toBe(false);
  });

  test('asks /readyz for readiness and /livez for life, and gets the time to drain', () => {
    const [service] = pod?.containers ?? [];
    expect(service?.readinessProbe?.httpGet?.path).toBe('/readyz');
    expect(service?.startupProbe?.httpGet?.path).toBe('/readyz');
    expect(service?.livenessProbe?.httpGet?.path).toBe('/livez');
    const drainMs = Number(settings['LYNCEUS_DRAIN_DELAY_MS']) + Number(settings['LYNCEUS_DRAIN_TIMEOUT_MS']);
    expect(Number(pod?.terminationGracePeriodSeconds) * 1000).toBeGreaterThan(drainMs);
    const { periodSeconds = 0, failureThreshold = 0 } = service?.readinessProbe ?? {};
    expect(periodSeconds * failureThreshold * 1000).toBeLessThan(Number(settings['LYNCEUS_DRAIN_DELAY_MS']));
  });

  test('selects its own pods, and mounts volumes and secrets that are there', () => {
    expect(spec?.template.metadata?.labels).toMatchObject(spec?.selector.matchLabels ?? { none: true });
    const volumes = (pod?.volumes ?? []).map(({ name }) => name);
    for (const { volumeMounts = [] } of containers)
      for (const { name } of volumeMounts) expect(volumes).toContain(name);
    const claims = ofKind<Manifest>('PersistentVolumeClaim').map(({ metadata }) => metadata.name);
    for (const { persistentVolumeClaim: claim, secret } of pod?.volumes ?? []) {
      if (claim) expect(claims).toContain(claim.claimName);
      if (secret) expect(secret.secretName).toBe('lynceus-secrets');
    }
    const fromFiles = Object.entries(settings).filter(([, value]) => value.startsWith('/run/secrets/'));
    for (const [, path] of fromFiles)
      expect(secrets).toHaveProperty([path.replace('/run/secrets/lynceus/', '')]);
    expect(Object.keys(settings).join()).not.toMatch(/_KEY\b|_URL\b|PASSWORD/);
  });
});

test('services, budget and autoscaler select what is there, by ports that it has', () => {
  const labelsOf = (deployment: (typeof deployments)[number]) =>
    deployment.spec?.template.metadata?.labels ?? {};
  const selectedBy = (labels: Readonly<Record<string, string>> = {}) =>
    deployments.filter((each) =>
      Object.entries(labels).every(([key, value]) => labelsOf(each)[key] === value),
    );
  for (const { spec } of ofKind<InstanceType<typeof Service>>('Service')) {
    const [selected, ...others] = selectedBy(spec?.selector);
    expect(others).toEqual([]);
    const ports = selected?.spec?.template.spec?.containers[0]?.ports ?? [];
    const named = (spec?.ports ?? [])
      .map(({ targetPort }) => targetPort)
      .filter((port) => typeof port === 'string');
    for (const name of named) expect(ports.map((port) => port.name)).toContain(name);
  }
  const [budget] = ofKind<InstanceType<typeof PodDisruptionBudget>>('PodDisruptionBudget');
  expect(selectedBy(budget?.spec?.selector?.matchLabels)).toHaveLength(1);
  const [scaler] = ofKind<InstanceType<typeof HorizontalPodAutoscaler>>('HorizontalPodAutoscaler');
  const target = deployments.find(({ metadata }) => metadata?.name === scaler?.spec?.scaleTargetRef.name);
  // A number in the file would undo what the autoscaler did, each time that the file is applied.
  expect(target?.spec?.replicas).toBeUndefined();
  const adapter = parse(readDeployFile('kubernetes/prometheus-adapter.yaml'));
  expect(scaler?.spec?.metrics?.map(({ pods }) => pods?.metric.name)).toEqual(
    adapter.rules.custom.map((rule: { name: { as: string } }) => rule.name.as),
  );
});

test('passive ports of FTP are those of the Service, and of the policy', () => {
  const env = deployments.flatMap(({ spec }) => spec?.template.spec?.containers[0]?.env ?? []);
  const range = env.find(({ name }) => name === 'LYNCEUS_FTP_PASSIVE_PORTS')?.value ?? '';
  const [first = 0, last = 0] = range.split('-').map(Number);
  const service = ofKind<InstanceType<typeof Service>>('Service').find(
    ({ metadata }) => metadata?.name === 'lynceus-ftp',
  );
  const passive = (service?.spec?.ports ?? []).filter(({ name }) => name?.startsWith('passive-'));
  expect(passive.map(({ port }) => port)).toEqual(
    Array.from({ length: last - first + 1 }, (_, at) => first + at),
  );
  expect(readDeployFile('kubernetes/network-policy.yaml')).toContain(`port: ${first}, endPort: ${last}`);
});
