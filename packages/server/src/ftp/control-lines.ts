/** A line of the control connection, without its end. */
export type ControlLine =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  /** It was longer than may be; its bytes are gone. */
  | { readonly kind: 'too-long' };

export interface LineReader {
  /** Takes what arrived. */
  add(chunk: Uint8Array): void;
  /** The next whole line, or null when there is none yet. Empty lines are left out. */
  next(): ControlLine | null;
  /** Whether anything is there of which no line came yet. */
  readonly hasPart: boolean;
}

const lf = 10;
const cr = 13;
const iac = 255;
/** From here to 254 a byte after IAC is a telnet command (RFC 854); from `will` on, one with an option byte behind it. */
const firstCommand = 240;
const will = 251;

/**
 * Bytes into lines. A line ends with LF, CR before it or not. Telnet commands are taken out (RFC 1123, 4.1.2.10); what is kept of
 * a line never exceeds `maxBytes`.
 *
 * Clients send a part of their abort as urgent data, which does not arrive here: BSD's `ftp` leaves a lone 0xF2 before `ABOR`, so
 * bytes that are not ASCII are left out at a line's start; Python's ftplib leaves `ABOR` and CR without LF, which is a line as well.
 */
export function createLineReader(maxBytes: number): LineReader {
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
    add(more) {
      chunk = at < chunk.length ? Buffer.concat([chunk.subarray(at), more]) : more;
      at = 0;
    },
    next() {
      while (at < chunk.length) {
        const byte = chunk[at++] ?? lf;
        // A telnet command is never cut by a line's end: what looks like one is.
        if (byte === lf) {
          telnet = 'text';
          const whole = finish();
          if (whole) return whole;
        } else take(byte);
      }
      return isUrgentAbort() ? finish() : null;
    },
    get hasPart() {
      return at < chunk.length || length > 0 || isTooLong || telnet !== 'text';
    },
  };
}

export interface CommandLine {
  /** In capitals. */
  readonly verb: string;
  /** What stands behind the one space after it, as it came; empty when nothing does. */
  readonly argument: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A line as a command; null when it cannot be one. An argument that is not UTF-8 (RFC 2640) is read as Latin-1: older cameras and
 * clients send their names so, and get the same name for the same bytes each time.
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
    return bytes.toString('latin1');
  }
}
