import type { Priority } from './priority.js';

/** What runs a job. */
export interface Pausable {
  /** Stops its threads until `resume`; false where that is not possible. */
  pause(): boolean;
  resume(): void;
}

interface FramePausesOptions {
  readonly cores: number;
  /** How long one frame may be held up altogether. */
  readonly maxPauseMs?: number;
}

interface Running {
  readonly process: Pausable;
  readonly priority: Priority;
  leftMs: number;
  pausedAtMs: number | null;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A frame of a live stream that is being analysed stands still while a user's request runs, one for each request, where the running jobs
 * need all cores: requests then take as long beside streams as without, and a frame is late by one request. It goes on where someone
 * waits for its process. Files of a queue do not give way so: nothing replaces them, and cores would be idle.
 */
export class FramePauses {
  readonly #cores: number;
  readonly #maxPauseMs: number;
  readonly #running = new Set<Running>();
  #isAwaited = false;

  constructor({ cores, maxPauseMs = 250 }: FramePausesOptions) {
    this.#cores = cores;
    this.#maxPauseMs = maxPauseMs;
  }

  /** A process begins a job. What it answers is to be called at the end of the job. */
  began(process: Pausable, priority: Priority): () => void {
    const job: Running = {
      process,
      priority,
      leftMs: this.#maxPauseMs,
      pausedAtMs: null,
      timer: undefined,
    };
    this.#running.add(job);
    this.#balance();
    return () => {
      this.#resume(job);
      this.#running.delete(job);
      this.#balance();
    };
  }

  /** @param isAwaited whether a user's request waits for a process */
  await(isAwaited: boolean): void {
    if (this.#isAwaited === isAwaited) return;
    this.#isAwaited = isAwaited;
    this.#balance();
  }

  #balance(): void {
    const jobs = [...this.#running];
    const frames = jobs.filter(({ priority }) => priority === 'stream');
    if (frames.length === 0) return;
    const requests = jobs.filter(({ priority }) => priority === 'interactive').length;
    let most = this.#isAwaited || jobs.length < this.#cores ? 0 : requests;
    for (const frame of frames) {
      if (most === 0 || frame.leftMs === 0) this.#resume(frame);
      else if (frame.pausedAtMs !== null || this.#pause(frame)) most -= 1;
    }
  }

  #pause(frame: Running): boolean {
    if (!frame.process.pause()) return false;
    frame.pausedAtMs = performance.now();
    frame.timer = setTimeout(() => {
      frame.leftMs = 0;
      this.#balance();
    }, frame.leftMs);
    return true;
  }

  #resume(frame: Running): void {
    if (frame.pausedAtMs === null) return;
    clearTimeout(frame.timer);
    frame.leftMs = Math.max(0, frame.leftMs - (performance.now() - frame.pausedAtMs));
    frame.pausedAtMs = null;
    frame.process.resume();
  }
}
