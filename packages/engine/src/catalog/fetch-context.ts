import type { FileFacts } from './checked-file.js';
import type { Layout } from './layout.js';

/** Input of a fetcher, which stores each file, checked, among the sources of `layout`. */
export interface FetchContext {
  readonly layout: Layout;
  /** Bytes of the current download so far; `bytesTotal` where it is known. */
  readonly onBytes: (bytesDone: number, bytesTotal?: number) => void;
  readonly signal: AbortSignal;
  /** For https sources. */
  readonly fetch: FetchFunction;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The subset of `fetch` that is used, so that a test can serve files from the loopback address. */
export type FetchFunction = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** After redirects. */
  readonly url?: string;
  readonly body: AsyncIterable<Uint8Array> | null;
}>;

export interface RequestedFile extends FileFacts {
  /** A path in the package, a path on this machine, or an address, by the kind of source. */
  readonly from: string;
}

/** A source that cannot be reached or does not contain what the catalogue states. The message says what happened. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  constructor(
    message: string,
    /** Whether the network failed, so that importing the model by hand helps. */
    readonly unreachable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
