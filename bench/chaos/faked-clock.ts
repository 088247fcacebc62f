import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The clock of processes, by libfaketime: their time of day is another one, and their timers run as always. */
export interface FakedClock {
  /** What the processes are started with. */
  readonly settings: Readonly<Record<string, string>>;
  /** @param seconds ahead of the machine's clock; below 0: behind it. Running processes follow within a second. */
  setAhead(seconds: number): Promise<void>;
}

/** How long a process keeps what it read from the file. */
const keptSeconds = 1;

/** The library, by the places where Debian has it; null where it is not installed. */
export function findFaketime(): string | null {
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const path = `/usr/lib/${triplet}/faketime/libfaketimeMT.so.1`;
  return existsSync(path) ? path : null;
}

/** @param path of the file that says how far the clock is off */
export async function makeFakedClock(library: string, path: string): Promise<FakedClock> {
  const write = (seconds: number) => writeFile(path, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  await write(0);
  return {
    settings: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_CACHE_DURATION: String(keptSeconds),
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    async setAhead(seconds) {
      await write(seconds);
      await sleep(2 * keptSeconds * 1000);
    },
  };
}
