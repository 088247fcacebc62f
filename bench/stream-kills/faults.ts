import { readFile } from 'node:fs/promises';
import { withDescendants } from '../processes.js';

/** What is killed, amid the work of a stream. */
export const killed = ['the service', 'ffmpeg', 'an inference process', 'the broker', 'the camera'] as const;
export type Killed = (typeof killed)[number];

/** Kills one process below the service whose arguments contain a word; reports where there was none. */
export async function killBelow(pid: number, word: string, name: string): Promise<readonly string[]> {
  for (const each of (await withDescendants(pid)).slice(1)) {
    const text = await readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '');
    // The shell that starts ffmpeg names it too.
    if (!text.includes(word) || text.startsWith('/bin/sh')) continue;
    try {
      process.kill(each, 'SIGKILL');
      return [];
    } catch {
      // It has ended by itself.
    }
  }
  return [`there was no ${name} to kill`];
}
