import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeFolder, writeDurably } from '../durable-folder.js';
import { ifMissing } from '../missing-file.js';
import type { Bucket } from '../objects/bucket.js';
import { bodyOf } from '../objects/digests.js';

/** Small files beside a quarantine, by names such as `blocked/faces.json`. */
export interface GuardFiles {
  /** Null where there is none. */
  read(name: string): Promise<string | null>;
  /** Whole or not at all, and durable when it resolves. */
  write(name: string, content: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Where one is, for an operator. */
  show(name: string): string;
}

export function folderGuardFiles(quarantineDir: string): GuardFiles {
  const pathOf = (name: string) => join(quarantineDir, name);
  return {
    read: (name) => readFile(pathOf(name), 'utf8').catch(ifMissing(null)),
    async write(name, content) {
      await makeFolder(quarantineDir);
      await makeFolder(dirname(pathOf(name)));
      await writeDurably(pathOf(name), content);
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    show: pathOf,
  };
}

/** The same for all replicas: what one found, an operator confirms by any other. */
export function bucketGuardFiles(bucket: Bucket): GuardFiles {
  const keyOf = (name: string) => `quarantine/${name}`;
  return {
    async read(name) {
      const found = await bucket.get(keyOf(name));
      return found === null ? null : text(found.stream);
    },
    write: (name, content) => bucket.put(keyOf(name), bodyOf(content)),
    remove: (name) => bucket.remove(keyOf(name)),
    show: (name) => `${bucket.shown}/${keyOf(name)}`,
  };
}
