import type { FileFacts } from './checked-file.js';
import type { Layout } from './layout.js';

/** What a fetcher is given. It leaves each file, checked, among the sources of `layout`. */
export interface FetchContext {
  readonly layout: Layout;
  /** Bytes of the current download so far; `bytesTotal` where it is known. */
  readonly onBytes: (bytesDone: number, bytesTotal?: number) => void;
  readonly signal: AbortSignal;
  /** For https sources. */
  readonly fetch: FetchFunction;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The part of `fetch` that is needed, so that a test may serve files from the loopback address. */
export type FetchFunction = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array> | null;
}>;

export interface RequestedFile extends FileFacts {
  /** Inside the package, on this machine, or an address, as the source's kind has it. */
  readonly from: string;
}

/** A source that cannot be reached or does not hold what the catalogue says. The message says what happened. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  constructor(
    message: string,
    /** Whether a network is to blame, so that bringing the model by hand is the way. */
    readonly unreachable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
