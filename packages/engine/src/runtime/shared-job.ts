import { EngineError } from '../errors.js';
import type { FrameSource } from '../image/image.js';
import type { SharedPixels } from '../image/raw-pixels.js';
import { chainsOf, longestFirst } from '../tasks/chains.js';
import type { TaskCall } from '../tasks/registry.js';
import type { InferenceProcess } from './inference-process.js';
import type { Analysis } from './job.js';
import type { AnalyseWork } from './messages.js';
import type { PixelFile, PixelFiles } from './pixel-files.js';

interface SharedJobOptions {
  readonly job: AnalyseWork;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly pixelFiles: PixelFiles;
  /** Whether a process is idle with nothing else to do. */
  readonly hasIdleHelp: () => boolean;
  /** The pixels are written: `help` may be called. Of a frame it may be from the start, and this is not called. */
  readonly onShared: () => void;
}

/**
 * One job in several processes. The lead decodes the image and, when another process is idle by then, writes its
 * pixels into a file; of a frame there is a file already. From then on the chains of tasks are claimed one by one, by the
 * lead and by idle processes. All parts succeed together; the first to fail aborts the others.
 */
export class SharedJob {
  readonly #options: SharedJobOptions;
  readonly #chains: readonly (readonly TaskCall[])[];
  /** Indexes of chains that nobody has claimed, in the order in which they are claimed. */
  #unclaimed: readonly number[] = [];
  /** What other processes open; undefined until the lead has written it. */
  #pixels: SharedPixels | FrameSource | undefined;
  /** Being created, or existing, or null above the limit. */
  #file: Promise<PixelFile | null> | undefined;
  readonly #helpers: Promise<Analysis>[] = [];
  readonly #end = new AbortController();
  #failure: unknown;

  constructor(options: SharedJobOptions) {
    this.#options = options;
    const { source, tasks } = options.job;
    this.#chains = chainsOf(tasks);
    if (source.kind === 'frame') this.#share(source);
  }

  /** Whether a process that calls `help` gets something to do. */
  get wantsHelp(): boolean {
    return this.#pixels !== undefined && !this.#end.signal.aborted && this.#unclaimed.length > 0;
  }

  async run(lead: InferenceProcess): Promise<Analysis> {
    const { job, timeoutMs, signal } = this.#options;
    const onAbort = () => this.#end.abort();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const led = await this.#whole(
        lead.run(job, timeoutMs, this.#end.signal, {
          offered: (bytes) => this.#makeFile(bytes),
          shared: (pixels) => {
            this.#share(pixels);
            this.#options.onShared();
          },
          claim: () => this.#claim(),
        }),
      );
      // Once the lead is done every chain is claimed, so no process joins any more.
      return mergeAnalyses(led as Analysis, await Promise.all(this.#helpers));
    } catch (error) {
      throw this.#failure ?? error;
    } finally {
      this.#end.abort();
      signal?.removeEventListener('abort', onAbort);
      await (await this.#file)?.remove();
    }
  }

  /** Has an idle process run the next chain. */
  help(process: InferenceProcess): void {
    const { limits } = this.#options.job;
    const tasks = this.#chains[this.#claim() ?? -1];
    if (!tasks || !this.#pixels) throw new EngineError('internal', 'a job without work was offered help');
    const part = { kind: 'analyse', source: this.#pixels, limits, tasks } as const;
    const { timeoutMs } = this.#options;
    this.#helpers.push(this.#whole(process.run(part, timeoutMs, this.#end.signal)) as Promise<Analysis>);
  }

  #share(pixels: SharedPixels | FrameSource): void {
    this.#pixels = pixels;
    this.#unclaimed = longestFirst(this.#chains, pixels.width * pixels.height);
  }

  #claim(): number | null {
    const [next = null, ...others] = this.#unclaimed;
    this.#unclaimed = others;
    return next;
  }

  async #makeFile(bytes: number): Promise<string | null> {
    if (this.#end.signal.aborted || !this.#options.hasIdleHelp()) return null;
    this.#file = this.#options.pixelFiles.create(bytes);
    return (await this.#file)?.path ?? null;
  }

  /** Makes the failure of one part that of all; the others then end as aborted, which is not reported to the caller. */
  #whole<T>(part: Promise<T>): Promise<T> {
    part.catch((error: unknown) => {
      if (this.#end.signal.aborted) return;
      this.#failure = error;
      this.#end.abort();
    });
    return part;
  }
}

/** Parts of one job as one; the times are those of `lead`, which decoded, with the others' tasks beside them. */
function mergeAnalyses(lead: Analysis, others: readonly Analysis[]): Analysis {
  const models = new Map(
    [lead, ...others].flatMap((part) => part.models.map((model) => [`${model.id}@${model.version}`, model])),
  );
  return {
    image: lead.image,
    results: Object.assign({}, lead.results, ...others.map(({ results }) => results)),
    models: [...models.values()],
    timingsMs: Object.assign({}, ...others.map(({ timingsMs }) => timingsMs), lead.timingsMs),
  };
}
