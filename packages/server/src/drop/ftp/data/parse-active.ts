import ipaddr from 'ipaddr.js';

export interface ActiveTarget {
  readonly address: string;
  readonly port: number;
}

/** RFC 959: `h1,h2,h3,h4,p1,p2`; null when it is not that. */
export function parsePort(text: string): ActiveTarget | null {
  const numbers = text.trim().split(',');
  if (numbers.length !== 6 || !numbers.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256))
    return null;
  const [high = 0, low = 0] = numbers.slice(4).map(Number);
  return { address: numbers.slice(0, 4).map(Number).join('.'), port: high * 256 + low };
}

/** RFC 2428: `|1|132.235.1.2|6275|`, with any separator; `protocol` when the family is neither 1 nor 2. */
export function parseExtendedPort(text: string): ActiveTarget | 'protocol' | null {
  const separator = text.charAt(0);
  const parts = text.split(separator);
  const [, family = '', address = '', port = ''] = parts;
  if (separator === '' || parts.length !== 5 || !/^\d{1,5}$/.test(port) || Number(port) > 65535) return null;
  if (family !== '1' && family !== '2') return 'protocol';
  const isRight = family === '1' ? ipaddr.IPv4.isValidFourPartDecimal(address) : ipaddr.IPv6.isValid(address);
  return isRight ? { address: ipaddr.parse(address).toString(), port: Number(port) } : null;
}
