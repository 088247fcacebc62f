import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { callV1 } from '../../http/fixtures/call-v1.js';
import { facesAt } from '../../http/fixtures/faces-at.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { readAllRows } from '../../storage/fixtures/all-rows.js';
import { deriveKey } from '../../storage/secrets/derive-key.js';
import { parseKey } from '../../storage/secrets/key-file.js';

let service: TestService;
let imageUrl: string;
beforeAll(async () => {
  service = await startTestService();
  const { id } = await service.faces.perceptions.create(service.accountId, { name: 'staff' });
  const face = (query: string, size?: number) =>
    callV1(service, `/predict/face?${query}`, {
      key: service.key,
      ...(size === undefined
        ? {}
        : { sent: multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(size) }]) }),
    });
  const { json } = await face(`command=create_person&model_id=${id}&person_name=Eve`);
  service.runner.script = async () => facesAt(0);
  await face(`command=insert_person_image&person_id_filter=${json.person_id}`, 3000);
  imageUrl = (await face(`model_id=${id}`, 3001)).json.similar_faces[0].image_url;
  service.runner.script = async () => found;
});
afterAll(() => service.stop());

const openUrl = async (url: string) => (await fetch(url)).status;
/** As whoever has a key would sign it. */
function forge(key: Uint8Array, endMs: number): string {
  const [, account, image] = /face-images\/(\d+)\.(\d+)\./.exec(imageUrl) ?? [];
  const what = `${account}.${image}.${Math.floor(endMs / 1000)}`;
  return imageUrl.replace(/[^/]+$/, `${what}.${createHmac('sha256', key).update(what).digest('base64url')}`);
}
const in2036 = Date.UTC(2036, 0, 1);
const hourMs = 3_600_000;

describe('a link to a face', () => {
  test('opens it for whoever has the link', async () => {
    expect(await openUrl(imageUrl)).toBe(200);
  });

  test('is not forged with anything that a copy of the database has', async () => {
    const texts = new Set((await readAllRows(service.database)).match(/[^"\s:,{}[\]]{6,}/g) ?? []);
    expect(texts.size).toBeGreaterThan(20);
    for (const text of texts) {
      const keys = (['utf8', 'base64url', 'hex'] as const).map((encoding) => Buffer.from(text, encoding));
      for (const key of keys.filter(({ length }) => length > 0)) {
        for (const tried of [key, deriveKey(key, 'face image links')]) {
          expect(await openUrl(forge(tried, in2036))).toBe(404);
          expect(await openUrl(forge(tried, Date.now() + hourMs / 2))).toBe(404);
        }
      }
    }
  });

  test('is refused where it ends later than an hour from now, even if it is signed as ours are', async () => {
    const path = join(dirname(service.folder.thumbnailsDir), 'secret-key');
    const installationKey = parseKey(await readFile(path, 'utf8')) ?? Buffer.alloc(0);
    const key = deriveKey(installationKey, 'face image links');
    expect(await openUrl(forge(key, Date.now() + hourMs - 10_000))).toBe(200);
    for (const endMs of [Date.now() + 2 * hourMs, in2036, Date.now() - 10_000]) {
      expect(await openUrl(forge(key, endMs))).toBe(404);
    }
    // Nor with the key of the installation itself.
    expect(await openUrl(forge(installationKey, Date.now() + hourMs / 2))).toBe(404);
  });
});
