import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'basic-ftp';
import { concurrently } from '../concurrently.js';
import { askApi } from '../drop-crash/drop-under-test.js';
import { readObject } from '../load/outcome.js';
import type { MoreLedger } from './operations.js';

/** A drop as its FTP client knows it. */
export interface DropLogin {
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export interface UploadExperience {
  /** Attempts after which the client came again. */
  repeated: number;
  /** From the first attempt of a file to its acknowledgement. */
  longestMs: number;
  readonly errors: string[];
}

const betweenMs = 500;
const retryMs = 1000;
/** Camera and printer alike try for minutes. */
const patienceMs = 180_000;
const settledWithinMs = 60_000;

/** @param folder where its files are to be delivered */
export async function makeDrop(url: string, key: string, port: number, folder: string): Promise<DropLogin> {
  const made = await askApi({ url }, key, 'POST', '/api/drops', {
    name: 'a drop',
    settings: { other_files: 'deliver' },
    destination: { kind: 'folder', folder },
  });
  const user = String(readObject(made['ftp'])['user_name']);
  return { port, user, password: String(made['key']) };
}

/** One client that uploads file after file, each until it is acknowledged. */
export function startUploads(login: DropLogin, more: MoreLedger, experience: UploadExperience) {
  let isOver = false;
  const upload = async (name: string, content: Buffer) => {
    const startedAtMs = performance.now();
    for (;;) {
      const reason = await uploadOnce(login, name, content);
      if (reason === null) break;
      if (performance.now() - startedAtMs > patienceMs) {
        experience.errors.push(`the upload of ${name} was given up: ${reason}`);
        return;
      }
      experience.repeated += 1;
      await sleep(retryMs);
    }
    more.uploads.set(name, hashOf(content));
    experience.longestMs = Math.max(experience.longestMs, performance.now() - startedAtMs);
  };
  const all = (async () => {
    for (let number = 1; !isOver; number += 1) {
      await upload(`file-${number}.bin`, randomBytes(100_000));
      await sleep(betweenMs);
    }
  })();
  return {
    async over() {
      isOver = true;
      await all;
    },
  };
}

/** Null when it was acknowledged, else why not. */
async function uploadOnce(
  { port, user, password }: DropLogin,
  name: string,
  content: Buffer,
): Promise<string | null> {
  const client = new Client(10_000);
  try {
    await client.access({ host: '127.0.0.1', port, user, password });
    await client.uploadFrom(Readable.from([content]), name);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    client.close();
  }
}

/** What of the acknowledged files has not been delivered, or not as it was sent, when nothing is under way any more. */
export async function findUndelivered(folder: string, { uploads }: MoreLedger): Promise<readonly string[]> {
  const deadlineMs = performance.now() + settledWithinMs;
  for (;;) {
    const paths = await readdir(folder, { recursive: true });
    const missing = [...uploads.keys()].filter((name) => !paths.some((path) => path.endsWith(name)));
    if (missing.length > 0 && performance.now() < deadlineMs) {
      await sleep(500);
      continue;
    }
    const wrong = await concurrently([...uploads], 4, async ([name, sha256]) => {
      const path = paths.find((each) => each.endsWith(name));
      if (path === undefined || hashOf(await readFile(join(folder, path))) === sha256) return [];
      return [`${name} was delivered with another content`];
    });
    return [...missing.map((name) => `${name} was acknowledged and not delivered`), ...wrong.flat()];
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
