import { environmentName } from '../core/setting-names.js';
import type { FtpEvent } from '../ftp/session.js';

export interface FtpLogOptions {
  readonly logger: Readonly<Record<'info' | 'warn' | 'error', (counter: object, text: string) => void>>;
  /** Of each kind that strangers can cause, so many are logged one by one in an interval; of the rest their number and the last of them. */
  readonly maxEach: number;
  readonly intervalMs: number;
}

export const usualFtpLog = { maxEach: 10, intervalMs: 60_000 };

interface EventCounter {
  count: number;
  suppressed: number;
  last: FtpEvent;
}

/** Writes what happens at the FTP server to the log, which nobody without a key can fill. */
export function logFtpEvents({ logger, maxEach, intervalMs }: FtpLogOptions): (event: FtpEvent) => void {
  const byKind = new Map<FtpEvent['kind'], EventCounter>();

  const logSuppressed = (kind: FtpEvent['kind']): void => {
    const counter = byKind.get(kind);
    byKind.delete(kind);
    if (!counter || counter.suppressed === 0) return;
    const { suppressed, last } = counter;
    logger.warn(
      { ...fieldsOf(last), suppressed, intervalMs },
      `ftp: ${kind}, ${suppressed} times more; the last of them`,
    );
  };
  const sample = (event: FtpEvent): void => {
    const { kind } = event;
    let counter = byKind.get(kind);
    if (!counter) {
      counter = { count: 0, suppressed: 0, last: event };
      byKind.set(kind, counter);
      setTimeout(logSuppressed, intervalMs, kind).unref();
    }
    counter.count++;
    if (counter.count <= maxEach) {
      logger.warn(fieldsOf(event), `ftp: ${kind}`);
      return;
    }
    counter.suppressed++;
    counter.last = event;
  };

  return (event) => {
    switch (event.kind) {
      case 'failed':
      case 'certificate-bad':
        logger.error({ err: event.error }, `ftp: ${event.kind}`);
        return;
      case 'connection-refused':
      case 'log-in-refused':
      case 'bad-proxy-header':
      case 'foreign-data-connection':
      case 'plain-text-before-tls':
      case 'no-passive-port':
        sample(event);
        return;
      default:
        logger.info(event, `ftp: ${event.kind}`);
    }
  };
}

/** With the setting that is to be changed, where there is one. */
function fieldsOf(event: FtpEvent): object {
  return event.kind === 'no-passive-port' ? { ...event, setting: environmentName('ftpPassivePorts') } : event;
}
