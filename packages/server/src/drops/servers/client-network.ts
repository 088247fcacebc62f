import ipaddr from 'ipaddr.js';

/** The key by which clients are counted: the IPv4 address, or the /64 network of IPv6, which belongs to one site. */
export function networkOf(address: string): string {
  const bare = bareAddress(address);
  if (!ipaddr.isValid(bare)) return bare;
  const parsed = ipaddr.process(bare);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}/64` : parsed.toString();
}

/** Without a zone; `::ffff:192.0.2.1`, which a dual-stack socket reports, becomes `192.0.2.1`. */
export function bareAddress(address: string): string {
  const [plain = ''] = address.split('%');
  return plain.toLowerCase().startsWith('::ffff:') && plain.includes('.') ? plain.slice(7) : plain;
}
