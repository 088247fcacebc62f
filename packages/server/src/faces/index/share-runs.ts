/**
 * Work that brings something up to date, shared by all who ask for it. Each caller waits for a run that began after the
 * call, so that it sees what was there when it asked; those who come while one runs share the next.
 */
export function shareRuns(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const run = work();
      running = run.catch(() => undefined);
      return run;
    });
    return next;
  };
}
