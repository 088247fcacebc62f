import { promises as dns } from 'node:dns';

/** The IP addresses of a host name; empty when it has none. Must heed the signal. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Asks the name servers directly. The system's own look-up holds a thread of a small shared pool for as long as a
 * name server likes, so that a few hostile names would stall every file of the service. The hosts file is therefore
 * not read.
 */
export const resolveHost: ResolveHost = async (host, signal) => {
  // RFC 6761: never asked of a name server.
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1'];
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};
