import { decodeWindows1252 } from '../../core/windows-1252.js';

/** A line of the control connection, without its line break. */
export type ControlLine =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** It exceeded the limit; its bytes are discarded. */
  | { readonly kind: 'too-long' };

const lf = 10;
const cr = 13;
const iac = 255;
/** A byte from here to 254 after IAC is a telnet command (RFC 854); from `will` on, an option byte follows it. */
const firstCommand = 240;
const will = 251;

/**
 * Splits bytes into lines. A line ends with LF or CR LF. Telnet commands are removed (RFC 1123, 4.1.2.10). At most `maxBytes` of
 * a line are buffered.
 *
 * Clients send a part of their abort as urgent data, which does not reach this reader. BSD's `ftp` leaves a single 0xF2 before
 * `ABOR`: non-ASCII bytes at the start of a line are skipped. Python's ftplib leaves `ABOR` and CR without LF: that also counts
 * as a line.
 */
export function createLineReader(maxBytes: number) {
  let chunk: Uint8Array = new Uint8Array();
  let at = 0;
  const line = Buffer.alloc(maxBytes);
  let length = 0;
  let isTooLong = false;
  let telnet: 'text' | 'iac' | 'option' = 'text';

  const keep = (byte: number): void => {
    if (length === 0 && byte >= 0x80) return;
    if (length === maxBytes) isTooLong = true;
    else line[length++] = byte;
  };
  const take = (byte: number): void => {
    if (telnet === 'option') telnet = 'text';
    else if (telnet === 'iac') {
      telnet = byte >= will && byte < iac ? 'option' : 'text';
      if (byte < firstCommand || byte === iac) keep(byte);
    } else if (byte === iac) telnet = 'iac';
    else keep(byte);
  };
  const finish = (): ControlLine | null => {
    const end = length > 0 && line[length - 1] === cr ? length - 1 : length;
    const whole: ControlLine | null = isTooLong
      ? { kind: 'too-long' }
      : end > 0
        ? { kind: 'line', bytes: Buffer.from(line.subarray(0, end)) }
        : null;
    length = 0;
    isTooLong = false;
    return whole;
  };
  const isUrgentAbort = (): boolean =>
    length === 5 && !isTooLong && /^abor\r$/i.test(line.toString('latin1', 0, length));

  return {
    /** Adds received bytes. */
    add(more: Uint8Array) {
      chunk = at < chunk.length ? Buffer.concat([chunk.subarray(at), more]) : more;
      at = 0;
    },
    /** The next complete line, or null when there is none yet. Empty lines are skipped. */
    next(): ControlLine | null {
      while (at < chunk.length) {
        const byte = chunk[at++] ?? lf;
        // No telnet command contains a line break, so LF always ends the line.
        if (byte === lf) {
          telnet = 'text';
          const whole = finish();
          if (whole) return whole;
        } else take(byte);
      }
      return isUrgentAbort() ? finish() : null;
    },
    /** Whether bytes of an incomplete line are buffered. */
    get hasPart(): boolean {
      return at < chunk.length || length > 0 || isTooLong || telnet !== 'text';
    },
  };
}

interface CommandLine {
  /** In upper case. */
  readonly verb: string;
  /** The text after the first space, unchanged; empty when there is none. */
  readonly argument: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a line as a command; null when it is invalid. An argument that is not valid UTF-8 (RFC 2640) is decoded as Windows-1252, which
 * older cameras and clients send: the same bytes always yield the same name.
 */
export function parseCommandLine(bytes: Buffer): CommandLine | null {
  const match = /^ *([A-Za-z]{3,4})(?: ([\s\S]*))?$/.exec(bytes.toString('latin1'));
  if (!match) return null;
  const [, verb = '', argument = ''] = match;
  return { verb: verb.toUpperCase(), argument: decode(Buffer.from(argument, 'latin1')) };
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}
