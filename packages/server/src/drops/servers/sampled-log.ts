export interface SampledLogOptions {
  readonly logger: Readonly<Record<'info' | 'warn' | 'error', (fields: object, text: string) => void>>;
  /** Of each kind so many are logged one by one in an interval; of the rest their number and the last of them. */
  readonly maxEach: number;
  readonly intervalMs: number;
}

export const usualSampling = { maxEach: 10, intervalMs: 60_000 };

interface EventCounter<Event> {
  count: number;
  suppressed: number;
  last: Event;
}

/**
 * Warns of events that strangers can cause, without letting them fill the log.
 * @param protocol before each line
 */
export function createSampledLog<Event extends { readonly kind: string }>(
  { logger, maxEach, intervalMs }: SampledLogOptions,
  protocol: string,
  fieldsOf: (event: Event) => object = (event) => event,
): (event: Event) => void {
  const byKind = new Map<string, EventCounter<Event>>();

  const logSuppressed = (kind: string): void => {
    const counter = byKind.get(kind);
    byKind.delete(kind);
    if (!counter || counter.suppressed === 0) return;
    const { suppressed, last } = counter;
    logger.warn(
      { ...fieldsOf(last), suppressed, intervalMs },
      `${protocol}: ${kind}, ${suppressed} times more; the last of them`,
    );
  };
  return (event) => {
    const { kind } = event;
    let counter = byKind.get(kind);
    if (!counter) {
      counter = { count: 0, suppressed: 0, last: event };
      byKind.set(kind, counter);
      setTimeout(logSuppressed, intervalMs, kind).unref();
    }
    counter.count++;
    if (counter.count <= maxEach) {
      logger.warn(fieldsOf(event), `${protocol}: ${kind}`);
      return;
    }
    counter.suppressed++;
    counter.last = event;
  };
}
