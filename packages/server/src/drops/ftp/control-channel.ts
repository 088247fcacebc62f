import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { type ControlLine, createLineReader } from './control-lines.js';
import { type Reply, reply, writeReply } from './reply.js';
import { openTls } from './tls.js';

export interface ControlLimits {
  readonly maxLineBytes: number;
  /** From the first byte of a line to its end. */
  readonly lineTimeoutMs: number;
  /** Lines read ahead; further ones stay in the operating system's buffers. */
  readonly maxWaitingLines: number;
  /** For a client that does not read its replies. */
  readonly replyTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
}

type NextLine =
  | ControlLine
  | { readonly kind: 'idle' }
  | { readonly kind: 'closed' }
  /** The connection must end with this reply. */
  | { readonly kind: 'stopped'; readonly lastReply: Reply };

/** `injected`: plain text arrived before the handshake, which could pass as text protected by TLS. */
type Secured = 'secure' | 'injected' | 'failed';

export interface ControlChannel {
  readonly isSecure: boolean;
  /** Fires when the client has disconnected; data received after that may be incomplete. */
  readonly gone: AbortSignal;
  nextLine(idleMs: number): Promise<NextLine>;
  /** Sends a reply. Resolves when the operating system has accepted it, or the client has disconnected. */
  send(message: Reply): Promise<void>;
  /** Makes the pending or the next `nextLine` return `stopped`. The reply of the first call is used. */
  stop(lastReply: Reply): void;
  /** Calls back for each line on arrival, in addition to `nextLine`; true removes the line from the queue. Null ends it. */
  watch(onLine: ((line: ControlLine) => boolean) | null): void;
  /** Sends the reply in plain text and switches to TLS; when that fails, the channel is closed. */
  secure(message: Reply, context: SecureContext): Promise<Secured>;
  close(): void;
}

/** Time for the last reply to reach a client that does not close its side. */
const lingerMs = 1000;

/** Lines in and replies out of a control connection. */
export function openControlChannel(plain: Duplex, limits: ControlLimits): ControlChannel {
  let stream = plain;
  let reader = createLineReader(limits.maxLineBytes);
  let isSecure = false;
  let lines: ControlLine[] = [];
  let onLine: ((line: ControlLine) => boolean) | null = null;
  let wake: (() => void) | null = null;
  let lastReply: Reply | null = null;
  let lineTimer: NodeJS.Timeout | null = null;
  const gone = new AbortController();

  const stop = (message: Reply): void => {
    lastReply ??= message;
    wake?.();
  };
  const timeLine = (): void => {
    if (!reader.hasPart || lines.length > 0) {
      if (lineTimer) clearTimeout(lineTimer);
      lineTimer = null;
    } else {
      lineTimer ??= setTimeout(() => {
        stop(reply(421, 'This line took too long to arrive.'));
      }, limits.lineTimeoutMs);
    }
  };
  const readLines = (): void => {
    while (lines.length < limits.maxWaitingLines) {
      const line = reader.next();
      if (!line) break;
      if (!onLine?.(line)) lines.push(line);
    }
    if (lines.length < limits.maxWaitingLines) stream.resume();
    else stream.pause();
    timeLine();
    if (lines.length > 0) wake?.();
  };
  const onData = (chunk: Uint8Array): void => {
    reader.add(chunk);
    readLines();
  };
  const onEnd = (): void => {
    gone.abort();
    if (lineTimer) clearTimeout(lineTimer);
    wake?.();
  };
  const attach = (): void => {
    stream.on('data', onData).on('end', onEnd).on('close', onEnd);
    // An error is handled as a close.
    stream.on('error', () => stream.destroy());
  };
  attach();

  return {
    get isSecure() {
      return isSecure;
    },
    gone: gone.signal,
    stop,
    async nextLine(idleMs) {
      const answer = (): NextLine | null => {
        if (lastReply) return { kind: 'stopped', lastReply };
        const line = lines.shift();
        if (line) {
          // The queue has room for further lines.
          if (!stream.destroyed && !gone.signal.aborted) readLines();
          return line;
        }
        return gone.signal.aborted ? { kind: 'closed' } : null;
      };
      const ready = answer();
      if (ready) return ready;
      let idle: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        idle = setTimeout(resolve, idleMs);
      });
      clearTimeout(idle);
      wake = null;
      return answer() ?? { kind: 'idle' };
    },
    send: (message) => writeText(stream, writeReply(message), limits.replyTimeoutMs),
    watch(next) {
      onLine = next;
      if (next) lines = lines.filter((line) => !next(line));
    },
    async secure(message, context) {
      stream.off('data', onData).off('end', onEnd).off('close', onEnd);
      stream.pause();
      // Text from before the handshake may be injected by an attacker and must never be executed after it. RFC 4217 does not
      // cover this.
      if (lines.length > 0 || reader.hasPart) {
        await writeText(
          stream,
          writeReply(reply(421, 'Nothing may follow AUTH before TLS has begun.')),
          lingerMs,
        );
        stream.destroy();
        onEnd();
        return 'injected';
      }
      reader = createLineReader(limits.maxLineBytes);
      await writeText(stream, writeReply(message), limits.replyTimeoutMs);
      const opened = await openTls(stream, context, limits.handshakeTimeoutMs);
      if (!opened) {
        plain.destroy();
        onEnd();
        return 'failed';
      }
      stream = opened;
      isSecure = true;
      attach();
      readLines();
      return 'secure';
    },
    close() {
      if (lineTimer) clearTimeout(lineTimer);
      stream.off('data', onData);
      stream.resume();
      stream.end();
      const cut = setTimeout(() => plain.destroy(), lingerMs);
      plain.once('close', () => clearTimeout(cut));
      if (plain.destroyed) clearTimeout(cut);
    },
  };
}

/** Writes a text and waits until it is accepted; a stream that does not accept it in time is destroyed. */
async function writeText(stream: Duplex, text: string, timeoutMs: number): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      stream.destroy();
      resolve();
    }, timeoutMs);
    // A close calls the callbacks of pending writes, except for a stream of a duplex pair.
    stream.once('close', resolve);
    stream.write(text, () => {
      stream.off('close', resolve);
      resolve();
    });
  });
  clearTimeout(timer);
}
