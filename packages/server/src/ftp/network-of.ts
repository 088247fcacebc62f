import ipaddr from 'ipaddr.js';

/** By what a client is counted: its IPv4 address, or of IPv6 the /64 network, which is one site's. */
export function networkOf(address: string): string {
  const bare = bareAddress(address);
  if (!ipaddr.isValid(bare)) return bare;
  const parsed = ipaddr.process(bare);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}/64` : parsed.toString();
}

/** Without a zone, and IPv4 as such where a socket for both shows it as `::ffff:192.0.2.1`. */
export function bareAddress(address: string): string {
  const [plain = ''] = address.split('%');
  return plain.toLowerCase().startsWith('::ffff:') && plain.includes('.') ? plain.slice(7) : plain;
}
