import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createLynceusClient } from '@lynceus/client';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '#bench/free-port.js';
import { type Service, startService } from '#bench/service.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';

export const examplesDir = fileURLToPath(new URL('../../../examples/', import.meta.url));

export interface Examples {
  readonly service: Service;
  /** Of the drop that the programs upload to, of the FTP server, and of the account. */
  readonly env: Readonly<Record<string, string>>;
  /** An image of one face, and one with that face and nobody else. */
  readonly faces: readonly [enrolled: string, searched: string];
  /** For what a test makes; deleted at the end. */
  readonly dir: string;
  /** Runs a program of examples/ as its first lines say; what it printed, line by line. */
  run(command: string, words: readonly string[], env?: Readonly<Record<string, string>>): Promise<string[]>;
}

/** One service for all examples, with a drop, and images of a drawn face. */
export function useExamples(): () => Examples {
  let service: Service;
  let dir: string;
  let env: Record<string, string>;
  let faces: readonly [string, string];
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-examples-'));
    service = await startService({
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_FTP_PORT: String(await freePort()),
      LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
      LYNCEUS_DROP_SETTLE_MS: '200',
    });
    const client = createLynceusClient({ baseUrl: service.url, apiKey: service.key });
    // What the sign needs: other parts cost time and are tested elsewhere.
    const settings = { parts: ['objects', 'texts'] } as const;
    const drop = await client.drops.create({ name: 'desk', settings });
    env = {
      // With a slash at its end, as many copy it from a browser.
      BASE_URL: `${service.url}/`,
      KEY: service.key,
      DROP: String(drop.id),
      DROP_KEY: drop.key,
      FTP_CERTIFICATE: join(dir, 'data/ftp/certificate.pem'),
      no_proxy: '127.0.0.1',
    };
    faces = [join(dir, 'ada.png'), join(dir, 'group.png')];
    await writeFile(faces[0], await drawFaces(320, 240, [{ x: 160, y: 120, unit: 5 }]));
    await writeFile(faces[1], await drawFaces(400, 300, [{ x: 170, y: 140, unit: 6, tiltDeg: 5 }]));
  });
  afterAll(async () => {
    await service?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  return () => ({
    service,
    env,
    faces,
    dir,
    run: async (command, words, more = {}) => {
      const options = { cwd: examplesDir, env: { ...process.env, ...env, ...more } };
      const { stdout } = await promisify(execFile)(command, words, options);
      return stdout.trimEnd().split('\n');
    },
  });
}
