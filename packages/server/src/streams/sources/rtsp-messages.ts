import { StreamFailure } from './stream-source.js';

/** A request, an answer, or interleaved frames (RFC 2326, section 10.12) as they came, one or several whole ones. */
export type RtspItem =
  | { readonly kind: 'request'; readonly method: string; readonly uri: string; readonly message: RtspMessage }
  | { readonly kind: 'answer'; readonly status: number; readonly message: RtspMessage }
  | { readonly kind: 'frames'; readonly bytes: Buffer };

export interface RtspMessage {
  /** Names in lower case, in the order they came; a name may be there twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

const maxLineBytes = 8192;
const maxHeaderBytes = 32_768;
const maxHeaders = 100;
const maxBodyBytes = 131_072;
const dollar = 0x24;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const maxLineEnds = 64;
/** So much is looked at byte by byte: garbage is noticed at once. */
const shortBytes = 64;
/** Longer heads are looked at again where a line ends, and after so much. */
const headStepBytes = 4096;
const noBytes = Buffer.alloc(0);

/** A message or frame of which more has to come. */
interface Incomplete {
  /** With fewer bytes it stays so, in a head unless a line ends. */
  readonly neededBytes: number;
  readonly isHead: boolean;
}

/** Splits what arrives on a connection of RTSP. It keeps at most one incomplete message or frame. */
export class RtspParser {
  /** The buffer may be larger than what is kept in it. */
  #rest: Buffer = noBytes;
  #restBytes = 0;
  #awaited: Incomplete = { neededBytes: 0, isHead: false };

  /** What is complete now. Throws `StreamFailure` `protocol` for what is no RTSP or exceeds a limit. */
  push(chunk: Buffer): RtspItem[] {
    const gathered = this.#restBytes === 0 ? chunk : this.#gather(chunk);
    const { neededBytes, isHead } = this.#awaited;
    // What comes byte by byte is not read from its beginning at each.
    if (gathered.length < neededBytes && !(isHead && chunk.includes(lineFeed))) return [];
    let data = gathered;
    this.#awaited = { neededBytes: 0, isHead: false };
    const items: RtspItem[] = [];
    while (data.length > 0) {
      const framesEnd = endOfFrames(data);
      if (framesEnd > 0) {
        items.push({ kind: 'frames', bytes: data.subarray(0, framesEnd) });
        data = data.subarray(framesEnd);
        continue;
      }
      if (data[0] === dollar) {
        const neededBytes = data.length < 4 ? 4 : 4 + data.readUInt16BE(2);
        this.#awaited = { neededBytes, isHead: false };
        break;
      }
      const empty = countLineEnds(data);
      if (empty > 0) {
        data = data.subarray(empty);
        continue;
      }
      const found = readMessage(data);
      if ('neededBytes' in found) {
        this.#awaited = found;
        break;
      }
      items.push(found.item);
      data = data.subarray(found.end);
    }
    // Where nothing was taken, it is kept already. What was taken is still read by others.
    if (gathered === chunk || data !== gathered) this.#keep(data);
    return items;
  }

  /** What is kept, and a chunk behind it, in a buffer that grows by doubling. */
  #gather(chunk: Buffer): Buffer {
    const bytes = this.#restBytes + chunk.length;
    if (bytes > this.#rest.length) {
      const larger = Buffer.allocUnsafe(bytes * 2);
      this.#rest.copy(larger, 0, 0, this.#restBytes);
      this.#rest = larger;
    }
    chunk.copy(this.#rest, this.#restBytes);
    this.#restBytes = bytes;
    return this.#rest.subarray(0, bytes);
  }

  /** A copy, so that what is kept does not hold the whole chunk. */
  #keep(data: Buffer): void {
    this.#rest = data.length === 0 ? noBytes : Buffer.from(data);
    this.#restBytes = data.length;
  }
}

/** Some servers send an empty line between messages. */
function countLineEnds(data: Buffer): number {
  let count = 0;
  while (data[count] === lineFeed || data[count] === carriageReturn) count += 1;
  if (count > maxLineEnds) throw broken('it sends empty lines without end');
  return count;
}

function endOfFrames(data: Buffer): number {
  let end = 0;
  while (data[end] === dollar && end + 4 <= data.length) {
    const next = end + 4 + data.readUInt16BE(end + 2);
    if (next > data.length) break;
    end = next;
  }
  return end;
}

function readMessage(data: Buffer): { readonly item: RtspItem; readonly end: number } | Incomplete {
  const lines: string[] = [];
  let at = 0;
  for (;;) {
    const end = data.indexOf(lineFeed, at);
    if ((end < 0 ? data.length : end) - at > maxLineBytes)
      throw broken(`a line is longer than ${maxLineBytes} bytes`);
    if (lines.length === 0 && !mayBegin(data.subarray(at, end < 0 ? data.length : end))) {
      throw broken('what it sends is no RTSP');
    }
    if (end < 0) {
      if (data.length > maxHeaderBytes) throw broken(`its headers are longer than ${maxHeaderBytes} bytes`);
      const more = data.length < shortBytes ? 1 : headStepBytes;
      return { neededBytes: data.length + more, isHead: true };
    }
    const line = data.toString('latin1', at, end).replace(/\r$/, '');
    at = end + 1;
    if (line === '') break;
    lines.push(line);
    if (at > maxHeaderBytes || lines.length > maxHeaders) throw broken('it sends headers without end');
  }
  const [first = '', ...rest] = lines;
  const headers = rest.flatMap(parseHeader);
  const length = Number(headerOf({ headers, body: '' }, 'content-length') ?? 0);
  if (!Number.isInteger(length) || length < 0 || length > maxBodyBytes)
    throw broken('the length of an answer is not acceptable');
  if (data.length < at + length) return { neededBytes: at + length, isHead: false };
  const message = { headers, body: data.toString('utf8', at, at + length) };
  return { item: parseFirstLine(first, message), end: at + length };
}

/** Whether text can be the beginning of a first line, so that garbage is noticed at once. */
function mayBegin(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const version = 'RTSP/1.';
  return version.startsWith(text) || text.startsWith(version) || /^[A-Z][A-Z_]{0,19}( |$)/.test(text);
}

function parseFirstLine(line: string, message: RtspMessage): RtspItem {
  const [, status] = /^RTSP\/1\.\d (\d{3})(?: |$)/.exec(line) ?? [];
  if (status !== undefined) return { kind: 'answer', status: Number(status), message };
  const [, method, uri] = /^([A-Z_]{2,20}) (\S{1,4000}) RTSP\/1\.\d$/.exec(line) ?? [];
  if (method === undefined || uri === undefined) throw broken('what it sends is no RTSP');
  return { kind: 'request', method, uri, message };
}

function parseHeader(line: string): (readonly [string, string])[] {
  const colon = line.indexOf(':');
  if (colon <= 0) return [];
  const value = line
    .slice(colon + 1)
    .replace(/\p{Cc}/gu, ' ')
    .trim();
  return [[line.slice(0, colon).trim().toLowerCase(), value]];
}

export function headerOf({ headers }: RtspMessage, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}

export function headersOf({ headers }: RtspMessage, name: string): string[] {
  return headers.filter(([each]) => each === name).map(([, value]) => value);
}

/** A message as it is sent; the length of the body is added. */
export function writeMessage(
  firstLine: string,
  headers: readonly (readonly [name: string, value: string | undefined])[],
  body = '',
): Buffer {
  const bytes = Buffer.from(body, 'utf8');
  const lines = headers.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  if (bytes.length > 0) lines.push(`Content-Length: ${bytes.length}`);
  return Buffer.concat([Buffer.from([firstLine, ...lines, '', ''].join('\r\n'), 'latin1'), bytes]);
}

function broken(why: string): StreamFailure {
  return new StreamFailure('protocol', `the camera does not speak RTSP correctly: ${why}`);
}
