import ipaddr from 'ipaddr.js';

/**
 * IPv4 networks that are not the public internet, or lead to the inside of a cloud: IANA's special-purpose registry
 * (RFC 6890 and its successors), and one provider's inner address that lies in public space.
 */
const forbiddenV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, and one provider's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's inner services
  '169.254.0.0/16', // link-local, and most providers' metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** Global unicast is the only part of IPv6 that is handed out; all else is refused whole: ::1, mapped, NAT64, fc00::… */
const globalV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** What is not an ordinary public host within it. */
const forbiddenV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // 6bone, given back
  '3fff::/20', // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range));

/** A list of networks as `10.0.0.0/8, fd00::/8`. */
export type Networks = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[];

/** The value of a setting. Throws an error naming the entry that is not a network. */
export function parseNetworks(setting: string, list: string): Networks {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.map((entry) => {
    try {
      return ipaddr.parseCIDR(entry);
    } catch (cause) {
      throw new Error(`${setting}: ${entry} is not a network such as 10.0.0.0/8`, { cause });
    }
  });
}

/** Whether an image may be fetched from an IP address, given in text without brackets. */
export function isAllowedAddress(text: string, allowed: Networks): boolean {
  // Zone ids name an interface of ours.
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  if (isWithin(text, allowed)) return true;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) {
    return address.range() === 'unicast' && !forbiddenV4.some((range) => address.match(range));
  }
  return (
    address.range() === 'unicast' &&
    address.match(globalV6) &&
    !forbiddenV6.some((range) => address.match(range)) &&
    !isIsatap(address)
  );
}

/** Whether an IP address, given in text without brackets, is in one of the networks. */
export function isWithin(text: string, networks: Networks): boolean {
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}

/** RFC 5214: a tunnel's end takes the last 32 bits for an IPv4 address to send to. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}
