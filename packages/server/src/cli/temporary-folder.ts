import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryFolder = Awaited<ReturnType<typeof createTemporaryFolder>>;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A new folder in TMPDIR for the time of a command. It is removed too when the process exits before the end of the command, or
 * is ended by a signal that nothing else in it handles.
 */
export async function createTemporaryFolder(name: string) {
  const dir = await mkdtemp(join(tmpdir(), `lynceus-${name}-`)).catch((error: unknown) => {
    throw new Error(
      `No folder can be made in ${tmpdir()}, where temporary files go: set TMPDIR to a folder that can be written to`,
      { cause: error },
    );
  });
  const removeNow = () => rmSync(dir, { recursive: true, force: true });
  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return;
    removeNow();
    process.off(signal, onSignal);
    process.kill(process.pid, signal);
  };
  process.on('exit', removeNow);
  for (const signal of signals) process.on(signal, onSignal);
  return {
    dir,
    async remove() {
      await rm(dir, { recursive: true, force: true });
      process.off('exit', removeNow);
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
