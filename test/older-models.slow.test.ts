import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogModel, defaultModelsDir, type ModelRef, openCatalog } from '@lynceus/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, startService } from '#bench/service.js';
import { haveDefaultModels } from './support/default-models.js';
import { sample, upload } from './support/sample.js';

const olderVersion = '0123456789ab';

/** What an older program left: the models in another version, and nothing that a newer one could convert again. */
async function writeOlderModels(folder: string): Promise<void> {
  const modelsDir =
    process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
  const list = (await openCatalog({ modelsDir })).list();
  for (const { installed } of list) if (installed) await writeOlder(folder, installed);
}

async function writeOlder(folder: string, { id, dir }: ModelRef): Promise<void> {
  const target = join(folder, 'installed', id, olderVersion);
  await mkdir(join(target, '..'), { recursive: true });
  await cp(dir, target, { recursive: true });
  const manifest = JSON.parse(
    await readFile(join(target, 'manifest.json'), 'utf8'),
  ) as CatalogModel['manifest'];
  await writeFile(join(target, 'manifest.json'), JSON.stringify({ ...manifest, version: olderVersion }));
}

describe.skipIf(!(await haveDefaultModels()))('a newer program without a network', () => {
  let modelsDir: string;
  const settings = () => ({
    LYNCEUS_MODELS_DIR: modelsDir,
    LYNCEUS_DATA_DIR: join(modelsDir, 'data'),
    // Nothing listens there.
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
  });
  beforeAll(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'lynceus-older-'));
    await writeOlderModels(modelsDir);
  });
  afterAll(() => rm(modelsDir, { recursive: true, force: true }));

  test('starts with the older conversions of its models, answers, and says so', async () => {
    await runCommand(['models', 'install', '--keep-older'], settings());
    await expect(runCommand(['models', 'install'], settings())).rejects.toThrow(/models import/);
    expect(await runCommand(['models', 'list'], settings())).toMatch(/inception-v3 .*0123456789ab \(older\)/);
    let log = '';
    const service = await startService({ ...settings(), LYNCEUS_INFERENCE_PROCESSES: '1' }, (text) => {
      log += text;
    });
    try {
      const answer = await fetch(`${service.url}/predict/image/?apikey=${service.key}&model_id=imagenet`, {
        method: 'POST',
        body: upload(sample),
      });
      expect(answer.status, await answer.text()).toBe(200);
      expect(log).toMatch(/"model":"inception-v3","version":"0123456789ab".*older conversion/);
    } finally {
      await service.stop();
    }
  }, 900_000);
});
