import { Pool } from 'undici';

export interface Load {
  readonly images: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Answers by HTTP status; 0 is a connection that broke. */
  readonly statuses: Readonly<Record<number, number>>;
}

export interface Request {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Closed loop: each of `clients` connections sends its next request when the last is answered. */
export async function sendLoad(
  url: string,
  requests: readonly Request[],
  {
    clients,
    until,
  }: { readonly clients: number; readonly until: (answered: number, elapsedMs: number) => boolean },
): Promise<Load> {
  const pool = new Pool(url, { connections: clients, pipelining: 1, headersTimeout: 120_000 });
  const latenciesMs: number[] = [];
  const statuses: Record<number, number> = {};
  const startedAt = performance.now();
  let sent = 0;
  const loop = async () => {
    while (!until(sent, performance.now() - startedAt)) {
      const request = requests[sent++ % requests.length];
      if (!request) return;
      const sentAt = performance.now();
      const status = await statusOf(pool, request);
      latenciesMs.push(performance.now() - sentAt);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  await pool.close();
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => latenciesMs[Math.floor(share * latenciesMs.length)] ?? Number.NaN;
  const seconds = (performance.now() - startedAt) / 1000;
  const images = statuses[200] ?? 0;
  return {
    images,
    seconds,
    perSecond: images / seconds,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    statuses,
  };
}

/** Sends it and reads its answer to the end; 0 is a connection that broke. */
export async function statusOf(pool: Pool, request: Request): Promise<number> {
  try {
    const answer = await pool.request({ ...request, headers: { ...request.headers } });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    return 0;
  }
}
