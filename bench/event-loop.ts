import type { Service } from './service.js';

export interface EventLoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/**
 * Event-loop delay of the serving thread since the last time somebody asked: asking begins anew. An idle loop shows the
 * 10 ms of its own sampling.
 */
export async function readEventLoopDelay({
  metricsUrl,
}: Pick<Service, 'metricsUrl'>): Promise<EventLoopDelay> {
  const text = await (await fetch(metricsUrl)).text();
  const ms = (name: string) =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]);
  return { p50Ms: ms('p50'), p99Ms: ms('p99'), maxMs: ms('max') };
}
