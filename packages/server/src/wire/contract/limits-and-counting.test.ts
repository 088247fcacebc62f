import { tmpdir } from 'node:os';
import { EngineError } from '@lynceus/engine';
import { describe, expect, test } from 'vitest';
import { loadSettings } from '../../core/load-settings.js';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { ask } from './fixtures/ask.js';
import { upload, withImage } from './fixtures/images.js';
import { useImageHost } from './fixtures/use-image-host.js';
import { useService } from './fixtures/use-service.js';

const service = useService({ fetchTimeoutMs: 1000 });
const address = useImageHost();
const at = (path: string) => encodeURIComponent(address().replace(/\/a.*/, path));

describe('limits, all settings', () => {
  const { settings } = loadSettings({ env: {}, cwd: tmpdir() });
  test('image 25 MiB, 64 million pixels, JSON body 36 MiB, fetching 10 s, request 60 s', () => {
    const mib = 1024 * 1024;
    expect(settings).toMatchObject({
      maxImageBytes: 25 * mib,
      maxPixels: 64_000_000,
      maxJsonBytes: 36 * mib,
      fetchTimeoutMs: 10_000,
      requestTimeoutMs: 60_000,
    });
  });
  test('new accounts are trials of 1000 calls; results are kept for 30 days; errors keep their codes', () => {
    expect(settings).toMatchObject({ trialCalls: 1000, resultDays: 30, errorsAsOk: false });
  });

  test('an address that is slow is 502, one that is endless 413', async () => {
    const image = (path: string) => `POST /predict/image?apikey=KEY&url=${at(path)}`;
    const slow = await ask(service(), image('/silent'));
    expect([slow.status, slow.json.error.code]).toEqual([502, 'address_not_reachable']);
    const endless = await ask(service(), image('/endless'));
    expect([endless.status, endless.json.error.code]).toEqual([413, 'file_too_large']);
  });
});

describe('the first account', () => {
  test('is paid and unlimited; new ones are trials', async () => {
    const { key } = await service().makeKey('second', 7);
    const of = async (given: string) => (await callApi(service(), '/api/account', { key: given })).json;
    expect(await of(service().key)).toMatchObject({ plan: 'paid', calls: { left: null } });
    expect(await of(key)).toMatchObject({ plan: 'trial', calls: { left: 7 } });
  });
});

describe('a call counts once its parameters and key are valid', () => {
  const counted = async (...lines: readonly (readonly [string, typeof upload?])[]) => {
    const before = (await service().callsUsed()) ?? 0;
    for (const [line, sent] of lines) await ask(service(), line, sent);
    return ((await service().callsUsed()) ?? 0) - before;
  };
  const image = 'POST /predict/image?apikey=KEY';

  test('each operation is one call', async () => {
    const calls = [
      [image, upload],
      [`${image}&model_id=201`, upload],
      [`GET /predict/image?apikey=KEY&url=${at('/a')}`],
      ['POST /predict/object_detection/?apikey=KEY', upload],
      ['PUT /predict?api_key=KEY', withImage()],
    ] as const;
    expect(await counted(...calls)).toBe(calls.length);
  });

  test('a wrong parameter or key, another method or a question beforehand is none', async () => {
    const calls = [
      [`${image}&model_id=77`, upload],
      ['POST /predict/image?apikey=no', upload],
      ['PUT /predict/image?apikey=KEY'],
      ['OPTIONS /predict/image?apikey=KEY'],
      ['PUT /predict?api_key=KEY', withImage({ conf_thresh: 2 })],
    ] as const;
    expect(await counted(...calls)).toBe(0);
  });

  test('4xx answers after that and 5xx are given back', async () => {
    const refused = [[image], [`${image}&url=${at('/missing')}`]] as const;
    expect(await counted(...refused)).toBe(0);
    for (const code of ['image-corrupt', 'busy', 'internal'] as const) {
      service().runner.script = async () => {
        throw new EngineError(code, 'no');
      };
      expect(await counted([image, upload], ['PUT /predict?api_key=KEY', withImage()])).toBe(0);
    }
  });

  test('/api does not', async () => {
    expect(await counted(['GET /api/files?api_key=KEY'], ['GET /api/account?api_key=KEY'])).toBe(0);
  });
});
