import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The head of a connection by HAProxy's PROXY protocol, versions 1 and 2 (https://www.haproxy.org/download/2.6/doc/proxy-protocol.txt). */
export interface ProxyHeader {
  /** What follows these bytes is the client's. */
  readonly lengthBytes: number;
  /** Null for a connection of the proxy itself, such as a health check, and for one whose addresses it does not know. */
  readonly addresses: ProxiedAddresses | null;
}

/** As text; an IPv4 address that is mapped into IPv6 is given as IPv4. */
interface ProxiedAddresses {
  readonly client: string;
  /** What the client connected to: an address of the proxy. */
  readonly reached: string;
}

type ParsedHeader = ProxyHeader | 'incomplete' | 'malformed';

/** Section 2.1: the longest line of version 1, its CR LF included. */
const maxTextBytes = 107;
const textStart = Buffer.from('PROXY ');
const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n');
const fixedBytes = 16;
/** Addresses, and more of further fields (TLV) than proxies send: a whole client certificate is refused. */
const maxBinaryBytes = 4096;

/** Reads the header at the start of what arrived. Malformed is what can become none by any further byte. */
export function parseProxyHeader(bytes: Buffer): ParsedHeader {
  if (beginsAlike(bytes, textStart)) return parseText(bytes);
  return beginsAlike(bytes, signature) ? parseBinary(bytes) : 'malformed';
}

function beginsAlike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.subarray(0, length).equals(start.subarray(0, length));
}

function parseText(bytes: Buffer): ParsedHeader {
  const end = bytes.subarray(0, maxTextBytes).indexOf('\r\n');
  if (end === -1) return bytes.length < maxTextBytes ? 'incomplete' : 'malformed';
  const lengthBytes = end + 2;
  const [, family = '', ...rest] = bytes.toString('latin1', 0, end).split(' ');
  // Whatever follows UNKNOWN is to be ignored.
  if (family === 'UNKNOWN') return { lengthBytes, addresses: null };
  const [client = '', reached = '', ...ports] = rest;
  if (ports.length !== 2 || !ports.every(isPort)) return 'malformed';
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isPlainIpv6 : () => false;
  if (!isAddress(client) || !isAddress(reached)) return 'malformed';
  return { lengthBytes, addresses: { client: normalise(client), reached: normalise(reached) } };
}

function isPort(text: string): boolean {
  return /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
}

/** Without a zone. */
function isPlainIpv6(text: string): boolean {
  return isIPv6(text) && !text.includes('%');
}

function parseBinary(bytes: Buffer): ParsedHeader {
  if (bytes.length < fixedBytes) return 'incomplete';
  const [versionAndCommand = 0, family = 0] = bytes.subarray(signature.length);
  const lengthBytes = fixedBytes + bytes.readUInt16BE(14);
  const isLocal = versionAndCommand === 0x20;
  if (!isLocal && versionAndCommand !== 0x21) return 'malformed';
  const addressBytes = isLocal ? 0 : bytesOfFamily.get(family);
  if (addressBytes === undefined || lengthBytes > maxBinaryBytes) return 'malformed';
  if (lengthBytes < fixedBytes + 2 * addressBytes + (addressBytes > 0 ? 4 : 0)) return 'malformed';
  if (bytes.length < lengthBytes) return 'incomplete';
  if (addressBytes === 0) return { lengthBytes, addresses: null };
  const addressAt = (at: number) =>
    normalise(ipaddr.fromByteArray([...bytes.subarray(at, at + addressBytes)]).toString());
  const client = addressAt(fixedBytes);
  return { lengthBytes, addresses: { client, reached: addressAt(fixedBytes + addressBytes) } };
}

/** Bytes of an address: unspecified, TCP over IPv4, TCP over IPv6. UDP and local sockets cannot be FTP. */
const bytesOfFamily: ReadonlyMap<number, number> = new Map([
  [0x00, 0],
  [0x11, 4],
  [0x21, 16],
]);

function normalise(address: string): string {
  return ipaddr.process(address).toString();
}
