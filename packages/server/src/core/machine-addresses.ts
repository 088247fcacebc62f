import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * The addresses of this machine at which others reach what listens on `host`, IPv4 first: `host` itself, or all of the machine where
 * it is 0.0.0.0 or `::`. Without those of loopback and those that are valid on one link alone.
 */
export function machineAddresses(host: string, interfaces = networkInterfaces()): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') return isLoopback(host) ? [] : [host];
  const found = Object.values(interfaces)
    .flatMap((some) => some ?? [])
    .filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address))
    .map(({ address }) => address);
  const [four, six] = [found.filter((each) => !isIPv6(each)), found.filter(isIPv6)];
  return [...new Set(host === '::' ? [...four, ...six] : four)];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
