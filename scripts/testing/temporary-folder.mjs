import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const inMemory = '/dev/shm';
const prefix = 'lynceus-tests-';
const requiredBytes = 6 * 2 ** 30;
const dayMs = 86_400_000;

/**
 * A folder for the temporary files of a run, gone with this process. In memory where there is plenty of it: the tests
 * commit and flush thousands of times, and a disk makes them several times slower. They kill processes, which memory
 * outlives as a disk does; they cut no power.
 */
export function makeTemporaryFolder() {
  // Vitest reads its configuration once a project.
  if (basename(tmpdir()).startsWith(prefix)) return tmpdir();
  const parent = hasFreeSpace() ? inMemory : tmpdir();
  if (parent === inMemory) sweep();
  const folder = mkdtempSync(join(parent, prefix));
  // As /tmp is: the PostgreSQL of the tests is another user.
  chmodSync(folder, 0o1777);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function hasFreeSpace() {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    // What lies there counts against the limit of a container.
    const memoryBytes = Math.min(freemem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
    return bavail * bsize > requiredBytes && memoryBytes > requiredBytes;
  } catch {
    return false;
  }
}

/** Removes what runs left that were killed. */
function sweep() {
  for (const name of readdirSync(inMemory).filter((each) => each.startsWith(prefix))) {
    const folder = join(inMemory, name);
    try {
      if (Date.now() - statSync(folder).mtimeMs > dayMs) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another user's, or gone meanwhile.
    }
  }
}
