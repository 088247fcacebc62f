import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DropSettingsInput } from '@lynceus/client';
import { connectFtp } from '../drop-crash/ftp-client.js';
import { connectSftp } from '../drop-crash/sftp-client.js';
import { drawNoise } from './draw-noise.js';
import type { Resource } from './resources.js';
import type { Tenant } from './tenant.js';

/** A little less than what is refused; reading and writing the metadata of such a file takes exiftool a multiple of the usual time. */
const comments = 3900;
const waitMs = 20;
/** For a file that failed. */
const maxWaitMs = 600_000;

export const dropResources: readonly Resource[] = [
  {
    name: 'exiftool: images of drops, by FTP',
    isSlow: true,
    ...{ atOnce: 16, ownAtOnce: 4 },
    async prepare(tenant) {
      const drop = await createDrop(tenant);
      const image = await drawNoise(640);
      const slow = withComments(image, comments);
      return {
        ordinary: (signal) => deliver(tenant, drop, image, signal),
        endless: (signal) => deliver(tenant, drop, slow, signal),
      };
    },
  },
  {
    name: 'SSH log-ins, each account from an address of its own',
    // Twice the pace of one address, which begins with a burst.
    ...{ atOnce: 16, ownAtOnce: 1, maxPerSecond: 10 },
    async prepare(tenant) {
      const drop = await createDrop(tenant);
      const logIn = async () => (await connectSftp(drop)).close();
      return { ordinary: logIn, endless: logIn };
    },
  },
];

export async function createDrop(
  { client, ftpPort, sftpPort, folder, localAddress }: Tenant,
  settings: DropSettingsInput = {},
) {
  const { id, ftp, key } = await client.drops.create({
    name: 'shared',
    settings: { parts: ['classes'], keep_done_days: 0, ...settings },
    destination: { kind: 'folder', folder, path: '{name}' },
  });
  return { id, name: 'shared', port: ftpPort, sftpPort, localAddress, user: ftp.user_name, key };
}

/** Uploads an image, and waits until it is at its destination. */
export async function deliver(
  { folder }: Tenant,
  drop: Awaited<ReturnType<typeof createDrop>>,
  image: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const name = `${randomUUID()}.jpg`;
  const connection = await connectFtp(drop);
  await connection.upload(Readable.from([image]), name);
  connection.close();
  const path = join(folder, name);
  const given = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]);
  while (!existsSync(path)) await sleep(waitMs, undefined, { signal: given });
  await rm(path);
}

/** A JPEG with so many comment segments, which are empty, behind its start. */
export function withComments(jpeg: Buffer, count: number): Buffer {
  const comment = Buffer.from([0xff, 0xfe, 0, 2]);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.alloc(count * comment.length, comment),
    jpeg.subarray(2),
  ]);
}
