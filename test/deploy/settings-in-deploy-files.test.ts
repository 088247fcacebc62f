import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSettings, settingNames } from '#server/core/load-settings.js';
import { secretFileVariable } from '#server/core/secret-files.js';
import { environmentName } from '#server/core/setting-names.js';
import { haveOpenssl } from '../hostile/certificates.js';
import { composeReplicas, deployDir, deployFiles, readCompose, readDeployFile } from './deploy-files.js';

const known = new Set([
  ...settingNames.map((name) => environmentName(name)),
  ...['firstKey', 'databaseUrl'].map(secretFileVariable),
  'LYNCEUS_CONFIG',
]);
const dockerfile = readFileSync(fileURLToPath(new URL('../../../Dockerfile', import.meta.url)), 'utf8');

const texts: readonly (readonly [path: string, text: string])[] = [
  ...deployFiles().map((path) => [path, readDeployFile(path)] as const),
  ['Dockerfile', dockerfile],
];

test.each(texts)('every variable of Lynceus in %s is a setting', (_, text) => {
  const named = [...text.matchAll(/\bLYNCEUS_[A-Z0-9_]+/g)].map(([name]) => name);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

describe.skipIf(!haveOpenssl())('with the secrets that make-secrets.sh makes', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'lynceus-secrets-'));
    for (let times = 0; times < 2; times++)
      execFileSync(join(deployDir, 'make-secrets.sh'), [dir], { stdio: 'ignore' });
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  test.each(composeReplicas(readCompose()))(
    'the settings of %s in compose.yaml are accepted',
    (_, service) => {
      const mounted = (path: string) => path.replace('/run/secrets/', `${dir}/`);
      const env = Object.fromEntries(
        Object.entries(service.environment ?? {}).map(([name, value]) => [name, mounted(value)]),
      );
      const { settings } = loadSettings({ env, cwd: dir });
      expect(settings).toMatchObject({ joinInstallation: true, metricsHost: '0.0.0.0' });
      expect(settings.databaseUrl).toMatch(/^postgres:\/\/lynceus:\w{48}@postgres:5432\/lynceus$/);
      expect(Buffer.from(readFileSync(settings.secretKeyFile, 'utf8'), 'base64')).toHaveLength(32);
    },
  );

  test('the keys of the bucket are those that the object store knows, and a second run keeps them all', () => {
    const credentials = readFileSync(join(dir, 's3-credentials'), 'utf8');
    const { identities } = JSON.parse(readFileSync(join(dir, 's3-identities.json'), 'utf8'));
    const [{ accessKey, secretKey }] = identities[0].credentials;
    expect(credentials).toBe(
      `[default]\naws_access_key_id = ${accessKey}\naws_secret_access_key = ${secretKey}\n`,
    );
    const files = Object.values(readCompose().secrets).map(({ file }) => file.replace('./secrets/', ''));
    for (const name of files) expect(readFileSync(join(dir, name), 'utf8').length).toBeGreaterThan(16);
    const url = readFileSync(join(dir, 'database-url'), 'utf8');
    expect(url).toContain(readFileSync(join(dir, 'postgres-password'), 'utf8'));
  });
});
