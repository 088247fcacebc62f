import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { redactText } from './redact.js';
import { terminalStream } from './terminal-lines.js';

export type { Logger } from 'pino';

interface LoggerOptions {
  readonly level: string;
  readonly stream: DestinationStream;
}

/** A logger whose every line passes `redactText` last, wherever its text came from: no key is ever in a line. */
export function createLogger({ level, stream }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.err },
      hooks: { streamWrite: redactText },
    },
    stream,
  );
}

/** Short lines for a person at a terminal, JSON for everything else. */
export function standardLogStream(): DestinationStream & { flushSync(): void } {
  if (process.stdout.isTTY) return terminalStream(process.stdout);
  // Written in the background: a reader of our output that is slow must not hold requests up.
  const destination = pino.destination({ dest: 1, sync: false });
  // A closed pipe (`lynceus serve | head`) is no reason to end the service.
  destination.on('error', () => {});
  return {
    write: (line) => destination.write(line),
    flushSync() {
      try {
        destination.flushSync();
      } catch {
        // Not open yet, or closed: it can be reported nowhere.
      }
    },
  };
}
