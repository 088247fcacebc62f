import { residentBytes } from './resident-bytes.js';

export interface MemoryLimit {
  readonly maxRssBytes: number;
  readonly everyMs: number;
}

/**
 * Looks at a process from outside, since one that runs a graph cannot look at itself. Calls `exceeded` once, when it is
 * above the limit; the answer ends the watch.
 */
export function watchMemory(
  pid: number | undefined,
  { maxRssBytes, everyMs }: MemoryLimit,
  exceeded: (rssBytes: number) => void,
): () => void {
  if (pid === undefined) return () => undefined;
  const timer = setInterval(() => {
    const rssBytes = residentBytes(pid);
    if (rssBytes === undefined || rssBytes <= maxRssBytes) return;
    clearInterval(timer);
    exceeded(rssBytes);
  }, everyMs);
  return () => clearInterval(timer);
}
