import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGuardedService } from '../hostile/use-guarded-service.js';
import { haveDefaultModels } from '../support/default-models.js';
import { upload } from '../support/sample.js';
import { cases, fuzzing } from './cases.js';
import { connectionBytes, smuggling } from './framing.js';
import { smallImages } from './images.js';
import { mutated } from './mutate.js';

/** Sent at once, so that what one connection leaves behind would meet the others. */
const together = 20;
/** Images sent at once. */
const atOnce = 10;
const patienceMs = 60_000;
const patient = { timeout: 2 * fuzzing.timeout };

describe.skipIf(!(await haveDefaultModels()))('on an open connection', () => {
  const hostilities = useGuardedService();
  let images: readonly Buffer[];
  beforeAll(async () => {
    images = Object.values(await smallImages());
  });

  /** Writes, ends, and answers the status codes that came back; rejects when the connection stays open. */
  const write = (bytes: Buffer): Promise<readonly number[]> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(hostilities().service.url);
      const socket = connect(Number(port), hostname);
      const heard: Buffer[] = [];
      const patience = setTimeout(() => {
        socket.destroy();
        reject(new Error('the service says nothing and holds the connection'));
      }, patienceMs);
      socket.on('data', (chunk) => heard.push(chunk)).on('error', () => undefined);
      socket.on('close', () => {
        clearTimeout(patience);
        const said = Buffer.concat(heard).toString('latin1');
        resolve([...said.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status)));
      });
      socket.end(bytes);
    });

  test('connections of wrong HTTP are answered or closed', patient, async () => {
    const { service, answered } = hostilities();
    const connection = connectionBytes(service.key, mutated);
    await fc.assert(
      fc.asyncProperty(fc.array(connection, { minLength: together, maxLength: together }), async (all) => {
        for (const statuses of await Promise.all(all.map(write))) {
          for (const status of statuses) expect(status).toBeLessThan(500);
        }
      }),
      { numRuns: cases(700 / together).numRuns, endOnFailure: true },
    );
    answered(0);
  });

  test('changed images are recognised or refused', patient, async () => {
    const { v1, v2, answered } = hostilities();
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(mutated(images), { minLength: atOnce, maxLength: atOnce }), async (all) => {
        const answers = await Promise.all(
          all.map((bytes, index) =>
            index % 2 === 0
              ? v1('/predict/object_detection/', { model_id: '102' }, upload(bytes))
              : v2({ base64str: bytes.toString('base64'), model_id: 102 }),
          ),
        );
        for (const answer of answers) {
          expect([200, 400, 413, 415], await answer.text()).toContain(answer.status);
          if (answer.status === 200) calls += 1;
        }
      }),
      { numRuns: cases(200 / atOnce).numRuns, endOnFailure: true },
    );
    answered(calls);
  });

  test.each(smuggling)('a request of %s does not smuggle in another', async (_name, head) => {
    const { service } = hostilities();
    const hidden = '5\r\nhello\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
    const start = `POST /predict/image?apikey=${service.key} HTTP/1.1\r\nHost: a\r\n`;
    expect(await write(Buffer.from(`${start}${head}\r\n${hidden}`, 'latin1'))).toEqual([400]);
  });
});
