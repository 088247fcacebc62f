import { readdir } from 'node:fs/promises';
import { usageOf } from '../processes.js';

/** Resident memory and open files of a service, looked at once a second. */
export interface MemoryWatch {
  /** Bytes of all its processes, the latest look. */
  readonly residentBytes: number;
  /** Mean bytes of all processes between two moments, `performance.now()`. */
  meanBytes(fromMs: number, toMs: number): number;
  /** Mean bytes of the serving process alone. */
  meanServingBytes(fromMs: number, toMs: number): number;
  openFiles(): Promise<number>;
  stop(): void;
}

const everyMs = 1000;

export function watchMemory(pid: number): MemoryWatch {
  const looks: { readonly atMs: number; readonly allBytes: number; readonly servingBytes: number }[] = [];
  const timer = setInterval(async () => {
    const { residentBytes: allBytes, processes } = await usageOf(pid);
    looks.push({ atMs: performance.now(), allBytes, servingBytes: processes[0]?.residentBytes ?? 0 });
  }, everyMs);
  const mean = (of: 'allBytes' | 'servingBytes', fromMs: number, toMs: number) => {
    const between = looks.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    return between.reduce((sum, look) => sum + look[of], 0) / between.length;
  };
  return {
    get residentBytes() {
      return looks.at(-1)?.allBytes ?? 0;
    },
    meanBytes: (fromMs, toMs) => mean('allBytes', fromMs, toMs),
    meanServingBytes: (fromMs, toMs) => mean('servingBytes', fromMs, toMs),
    openFiles: async () => (await readdir(`/proc/${pid}/fd`)).length,
    stop: () => clearInterval(timer),
  };
}
