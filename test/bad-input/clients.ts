import { describe, expect, test } from 'vitest';
import { openConnection } from '../hostile/connection.js';
import { limits } from '../hostile/guarded-service.js';
import type { ErrorBody, Hostilities } from '../hostile/use-guarded-service.js';
import { sample, upload } from '../support/sample.js';

export function testClients(hostilities: () => Hostilities): void {
  describe('a client that goes away', () => {
    const part = '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n';
    test.each([
      ['a form', 'POST /predict/image', `Content-Type: multipart/form-data; boundary=x`, part],
      ['an image', 'POST /predict/image', 'Content-Type: image/jpeg', ''],
      ['a JSON body', 'PUT /predict', 'Content-Type: application/json', '{"base64str": "'],
      [
        'a URL-encoded form',
        'POST /predict/image',
        'Content-Type: application/x-www-form-urlencoded',
        'image=',
      ],
    ])('in the middle of %s leaves nothing', async (name, line, type, beginning) => {
      const { service } = hostilities();
      const { socket } = await openConnection(service.url);
      socket.write(
        `${line}?apikey=${service.key} HTTP/1.1\r\nHost: a\r\n${type}\r\nContent-Length: 4000000\r\n\r\n${beginning}`,
      );
      socket.write(Buffer.alloc(2_000_000, 'A'));
      if (!name.startsWith('a URL')) await expect.poll(() => service.filesInSpool()).toHaveLength(1);
      socket.resetAndDestroy();
    });

    test('before its image was looked at does not pay for it', async () => {
      const { service, v1, answered } = hostilities();
      const { socket } = await openConnection(service.url);
      // Both inference processes are busy meanwhile, so that the image is still waiting.
      const busy = Array.from({ length: 6 }, () => v1('/predict/image', {}, upload(sample)));
      await expect.poll(() => service.filesInSpool()).not.toEqual([]);
      socket.write(
        `POST /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Length: ${sample.length}\r\n\r\n`,
      );
      socket.write(sample, () => setTimeout(() => socket.resetAndDestroy(), 20));
      for (const answer of await Promise.all(busy)) expect(answer.status).toBe(200);
      answered(busy.length);
    });

    test('in the middle of its answer has been answered', async () => {
      const { service, answered } = hostilities();
      const { socket } = await openConnection(service.url);
      socket.write(
        `POST /predict/object_detection?apikey=${service.key} HTTP/1.1\r\nHost: a\r\nContent-Length: ${sample.length}\r\n\r\n`,
      );
      socket.write(sample);
      await new Promise((resolve) => socket.once('data', resolve));
      socket.resetAndDestroy();
      answered(1);
    });
  });

  test('200 requests at once are answered, or refused as busy', async () => {
    const { v1, answered } = hostilities();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        v1('/predict/object_detection/', { model_id: '102' }, upload(sample)),
      ),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.json() as Promise<ErrorBody>));
    const served = answers.filter(({ status }) => status === 200);
    answered(served.length);
    expect(served.length).toBeGreaterThanOrEqual(limits.queue);
    expect(served.length).toBeLessThan(200);
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 200) continue;
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(bodies[index]).toMatchObject({
        status: 'Error (Service Busy)',
        error: { code: 'service_busy' },
      });
    }
  });
}
