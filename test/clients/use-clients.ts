import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { type RemoteServer, startRemoteServer } from '../hostile/remote-server.js';
import { sample, samplePath } from '../support/sample.js';

export interface Clients {
  readonly service: Service;
  /** Address of the sample. */
  readonly imageUrl: string;
  /** Runs a program of this folder; what it printed, by form. */
  run(command: string, program: string): Promise<ReadonlyMap<string, string>>;
}

/** A service for programs of this folder, and what they send. */
export function useClients(): () => Clients {
  let service: Service;
  let remote: RemoteServer;
  let folder: string;
  const images = { PNG: 'sample.png', WEBP: 'sample.webp', LARGE: 'large.png' };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lynceus-clients-'));
    const large = sharp(sample).resize(1280).png({ compressionLevel: 0 });
    await Promise.all([
      writeFile(join(folder, images.PNG), await sharp(sample).png().toBuffer()),
      writeFile(join(folder, images.WEBP), await sharp(sample).webp().toBuffer()),
      writeFile(join(folder, images.LARGE), await large.toBuffer()),
    ]);
    remote = await startRemoteServer(sample);
    service = await startService({
      LYNCEUS_FETCH_ALLOWED_NETWORKS: '127.0.0.2/32',
      // The sign is all that is looked for: what else there may be costs time and is tested elsewhere.
      LYNCEUS_RECOGNITION_PARTS: 'objects',
    });
  });
  afterAll(() => Promise.all([service.stop(), remote.close(), rm(folder, { recursive: true, force: true })]));

  return () => ({
    service,
    imageUrl: remote.address('/image'),
    run: async (command, program) => {
      const path = fileURLToPath(new URL(`../../clients/${program}`, import.meta.url));
      const { stdout } = await promisify(execFile)(command, [path], {
        env: {
          ...process.env,
          ...Object.fromEntries(Object.entries(images).map(([name, file]) => [name, join(folder, file)])),
          BASE: service.url,
          KEY: service.key,
          IMAGE: samplePath,
          IMAGE_URL: remote.address('/image'),
          no_proxy: '127.0.0.1,127.0.0.2',
        },
        maxBuffer: 16 * 1024 * 1024,
      });
      const lines = stdout.split('\n').filter((line) => line !== '');
      return new Map(
        lines.map((line) => {
          const [name = '', ...rest] = line.split('\t');
          return [name, rest.join('\t')];
        }),
      );
    },
  });
}

/** Whether an answer, of either generation, has the sign of the sample. */
export function expectSign(answer: unknown, form?: string): void {
  const { predictions, objects } = answer as {
    predictions?: readonly { readonly class_title?: string }[];
    objects?: { readonly predictions: readonly { readonly object_title: string }[] };
  };
  const titles = objects
    ? objects.predictions.map(({ object_title }) => object_title)
    : predictions?.map(({ class_title }) => class_title);
  expect(titles, `${form}: ${JSON.stringify(answer)}`).toEqual(['stop sign']);
}
