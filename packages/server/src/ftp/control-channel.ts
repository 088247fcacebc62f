import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { type ControlLine, createLineReader } from './control-lines.js';
import { type Reply, reply, writeReply } from './reply.js';
import { openTls } from './tls.js';

export interface ControlLimits {
  readonly maxLineBytes: number;
  /** From a line's first byte to its end. */
  readonly lineTimeoutMs: number;
  /** Lines read ahead; the client's further ones wait in the network. */
  readonly maxWaitingLines: number;
  /** For a client that does not read what it is told. */
  readonly replyTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
}

export type NextLine =
  | ControlLine
  | { readonly kind: 'idle' }
  | { readonly kind: 'closed' }
  /** The connection is to end, with these words. */
  | { readonly kind: 'stopped'; readonly words: Reply };

/** `injected`: something was sent in plain text to be taken for a part of what TLS protects. */
export type Secured = 'secure' | 'injected' | 'failed';

export interface ControlChannel {
  readonly isSecure: boolean;
  /** Fires when the client is gone: from then on nothing of it can be trusted to be whole. */
  readonly gone: AbortSignal;
  nextLine(idleMs: number): Promise<NextLine>;
  /** Resolves when the client's side has taken it, or is gone. */
  say(words: Reply): Promise<void>;
  /** Makes `nextLine` answer `stopped`, now or as soon as it is asked. The first words count. */
  stop(words: Reply): void;
  /** Shows each line as soon as it arrives, beside `nextLine`; true takes it out of the row. Null: no longer. */
  watch(look: ((line: ControlLine) => boolean) | null): void;
  /** Says the words in plain text and goes on with TLS; when that did not work, the channel is closed. */
  secure(words: Reply, context: SecureContext): Promise<Secured>;
  close(): void;
}

/** Time for the last words to reach a client that does not close its side. */
const lingerMs = 1000;

/** The line-by-line side of a control connection. */
export function openControlChannel(plain: Duplex, limits: ControlLimits): ControlChannel {
  let stream = plain;
  let reader = createLineReader(limits.maxLineBytes);
  let isSecure = false;
  let lines: ControlLine[] = [];
  let look: ((line: ControlLine) => boolean) | null = null;
  let wake: (() => void) | null = null;
  let stopWords: Reply | null = null;
  let lineTimer: NodeJS.Timeout | null = null;
  const gone = new AbortController();

  const stop = (words: Reply): void => {
    stopWords ??= words;
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
      if (!look?.(line)) lines.push(line);
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
    // A connection that breaks is one that closes.
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
        if (stopWords) return { kind: 'stopped', words: stopWords };
        const line = lines.shift();
        if (line) {
          // Those read ahead leave room for more.
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
    say: (words) => send(stream, writeReply(words), limits.replyTimeoutMs),
    watch(next) {
      look = next;
      if (next) lines = lines.filter((line) => !next(line));
    },
    async secure(words, context) {
      stream.off('data', onData).off('end', onEnd).off('close', onEnd);
      stream.pause();
      // What came before TLS began could be a stranger's: nothing of it may be obeyed after (RFC 4217 has no answer to it).
      if (lines.length > 0 || reader.hasPart) {
        await send(stream, writeReply(reply(421, 'Nothing may follow AUTH before TLS has begun.')), lingerMs);
        stream.destroy();
        onEnd();
        return 'injected';
      }
      reader = createLineReader(limits.maxLineBytes);
      await send(stream, writeReply(words), limits.replyTimeoutMs);
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

/** Writes, and waits until it is taken; a stream that does not take it in time is destroyed. */
async function send(stream: Duplex, text: string, timeoutMs: number): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return;
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      stream.destroy();
      resolve();
    }, timeoutMs);
    // Closing calls the callbacks of writes that are left, but not those of a stream that is a pair's other half.
    stream.once('close', resolve);
    stream.write(text, () => {
      stream.off('close', resolve);
      resolve();
    });
  });
  clearTimeout(timer);
}
