import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from './support/default-models.js';
import { sample, upload } from './support/sample.js';

const commandLine = new URL('../../packages/server/dist/bundle/lynceus.mjs', import.meta.url).href;
const run = `process.exitCode = await (await import('${commandLine}')).runCommandLine(process.argv.slice(1))`;

describe.skipIf(!(await haveDefaultModels()))('an operator, beside a running service', () => {
  let service: Service;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lynceus-operator-'));
    service = await startService({ LYNCEUS_DATA_DIR: dataDir, LYNCEUS_RATE_LIMIT_PER_KEY: '12' });
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  const lynceus = async (...words: string[]) => {
    const env = { ...process.env, LYNCEUS_DATA_DIR: dataDir };
    const ran = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', run, '--', ...words],
      {
        env,
      },
    );
    return ran.stdout.trim();
  };
  const predict = async (key: string) => {
    const answer = await fetch(`${service.url}/predict/object_detection/?apikey=${key}&model_id=coco-fast`, {
      method: 'POST',
      body: upload(sample),
    });
    const body = (await answer.json()) as { readonly error?: { readonly code: string } };
    return body.error?.code ?? answer.status;
  };
  /** What the service remembers of a key, it remembers for a second. */
  const remembered = () => sleep(1050);

  test('makes a trial paid and back, and each is obeyed within a second', async () => {
    await lynceus('accounts', 'create', 'shop', '--plan', 'trial', '--calls', '1');
    const key = await lynceus('keys', 'create', '--account', 'shop');
    expect([await predict(key), await predict(key)]).toEqual([200, 'trial_limit']);
    expect(await lynceus('accounts', 'change', 'shop', '--plan', 'paid')).toMatch(/shop +paid +1 +no limit/);
    await remembered();
    expect(await predict(key)).toBe(200);
    expect(await lynceus('accounts', 'change', 'shop', '--plan', 'trial', '--calls', '2')).toMatch(
      /shop +trial +2 +2/,
    );
    await remembered();
    expect(await predict(key)).toBe('trial_limit');
    expect(await lynceus('accounts', 'list')).toMatch(/shop +trial +2 +2 +1 +30/);
  });

  test('gives a key calls of its own, which its account does not lend it more of', async () => {
    const key = await lynceus('keys', 'create', '--account', 'default', '--name', 'till', '--calls', '1');
    expect([await predict(key), await predict(key)]).toEqual([200, 'key_limit']);
    expect(await lynceus('keys', 'list')).toMatch(/till +1 +1/);
  });

  test('limits the rate of each key by a setting', async () => {
    const answers: unknown[] = [];
    for (let call = 0; call < 13; call += 1) answers.push(await predict(service.key));
    expect(answers).toEqual([...Array.from({ length: 12 }, () => 200), 'too_many_requests']);
  });
});
