/** What a database thread is started with. */
export interface ThreadData {
  readonly path: string;
  readonly busyTimeoutMs: number;
}
