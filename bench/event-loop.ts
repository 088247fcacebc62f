import type { Service } from './service.js';

export interface EventLoopDelay {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Sampling interval of the service's own loop: `prom-client`'s precision. */
const samplingMs = 10;

/**
 * Event-loop delay of the serving thread since the last reading, which resets it. A delay is the time from
 * one sample to the next, so an idle loop shows the 10 ms between them, and a loop that was blocked for H ms shows H to H
 * + 10.
 */
export async function readEventLoopDelay({
  metricsUrl,
}: Pick<Service, 'metricsUrl'>): Promise<EventLoopDelay> {
  const text = await (await fetch(metricsUrl)).text();
  const ms = (name: string) =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]);
  return { p50Ms: ms('p50'), p99Ms: ms('p99'), maxMs: ms('max') };
}

/** Range of the longest block of the thread, by the precision of the samples: `6.1 to 16.1`. */
export function describeHeld({ maxMs }: Pick<EventLoopDelay, 'maxMs'>): string {
  return `${Math.max(0, maxMs - samplingMs).toFixed(1)} to ${maxMs.toFixed(1)}`;
}
