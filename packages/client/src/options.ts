/** The part of `fetch` that this client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Of the service, with its path prefix if it has one, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** Goes in the header `X-API-Key`, never into an address. Wanted unless there is a session. */
  readonly apiKey?: string | undefined;
  /** Instead of a key, in a page of the service's own origin: the cookie of the user who is signed in, and this beside it. */
  readonly session?: PageSession | undefined;
  /** Instead of the global one. */
  readonly fetch?: Fetch | undefined;
  /** For a call with all its attempts and waits; 70,000 unless given, a little more than the service takes. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a call is retried that the service was too busy for or that met a rate limit, after the time the
   * service asks for. 0 unless given. What creates something is retried only after a rate limit: nothing was done then.
   */
  readonly maxRetries?: number | undefined;
}

export interface PageSession {
  /** The `csrf_token` of the session; undefined while nobody is signed in. Asked with each call that changes something. */
  readonly csrfToken: () => string | undefined;
}

/** Of a single call; every call takes them. */
export interface CallOptions {
  /** Gives the call up. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly timeoutMs?: number | undefined;
}

export interface CheckedOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

export type Credential = { readonly apiKey: string } | { readonly session: PageSession };

const defaultTimeoutMs = 70_000;
/** The longest that timers can wait. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Throws a TypeError that says what to fix, and never shows the key. */
export function checkOptions(options: ClientOptions): CheckedOptions {
  const { timeoutMs = defaultTimeoutMs, maxRetries = 0 } = options;
  const credential = checkCredential(options);
  if (!Number.isInteger(maxRetries) || maxRetries < 0) {
    throw new TypeError('maxRetries must be an integer from 0');
  }
  const timeoutProblem = findTimeoutProblem(timeoutMs);
  if (timeoutProblem !== undefined) throw new TypeError(timeoutProblem);
  return {
    baseUrl: checkBaseUrl(options.baseUrl),
    credential,
    // The global one must be called by its own name in browsers.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    timeoutMs,
    maxRetries,
  };
}

function checkCredential({ apiKey, session }: ClientOptions): Credential {
  if (session !== undefined) {
    if (apiKey === undefined) return { session };
    throw new TypeError('give an apiKey or a session, not both');
  }
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be an API key: ASCII characters without spaces or line breaks');
  }
  return { apiKey };
}

export function findTimeoutProblem(timeoutMs: number): string | undefined {
  if (timeoutMs > 0 && timeoutMs <= maxTimeoutMs) return undefined;
  return `timeoutMs must be a number above 0 and at most ${maxTimeoutMs}`;
}

function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'baseUrl must be the http or https address of the service, without user name, query or fragment',
    );
  }
  return url.href.replace(/\/+$/, '');
}
