import type { Server } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/service-error.js';
import { createIsTrusted } from '../../core/trusted-proxies.js';
import type { CompatAccess } from '../compat-keys.js';

interface LetInDeps {
  readonly networks: readonly string[];
  /** Whether what is at the other end of a connection says for whom it asks. */
  readonly isProxy: (address: string) => boolean;
  /** Told of an address that is not let in, once a minute. */
  readonly onRefused: (address: string) => void;
}

const reportEveryMs = 60_000;

/** Who may ask a listener: whoever comes from its networks, and through a trusted proxy whoever that names. */
export function createLetIn({ networks, isProxy, onRefused }: LetInDeps) {
  const isAllowed = createIsTrusted(networks);
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  const report = (address: string) => {
    if (performance.now() - reportedAtMs < reportEveryMs) return;
    reportedAtMs = performance.now();
    onRefused(address);
  };
  return {
    /** Closes connections from elsewhere before a byte is read; to be added before what counts connections. */
    connections(server: Server): void {
      server.on('connection', (socket) => {
        const { remoteAddress = '' } = socket;
        if (isAllowed(remoteAddress) || isProxy(remoteAddress)) return;
        report(remoteAddress);
        socket.destroy();
      });
    },

    /** Refuses requests before their bodies are read. A page in a browser of such a network is none of its clients. */
    requests(app: FastifyInstance): void {
      app.addHook('onRequest', async ({ ip, headers, socket, host }, reply) => {
        // A page of another site shows no image of it, whatever its browser says of where it asks from.
        reply.header('cross-origin-resource-policy', 'same-origin');
        if (!isAllowed(ip))
          throw new ServiceError(
            'not_allowed',
            'this address is not let in: the listener has a list of networks',
          );
        const site = headers['sec-fetch-site'];
        const isOfOtherSite = site !== undefined && site !== 'none' && site !== 'same-origin';
        // A page whose name was pointed at this network sends neither: its name is in the address that it asks.
        const isByName = !isProxy(socket.remoteAddress ?? '') && !isLocalName(headers.host);
        // Browsers leave out sec-fetch-site towards plain HTTP; then an image says by its Referer alone who shows it.
        const isShownElsewhere = headers.referer !== undefined && !isOfHost(headers.referer, host);
        const isOfSite = isOfOtherSite || isShownElsewhere || isByName;
        if (headers.origin === undefined && !isOfSite) return;
        throw new ServiceError(
          'not_allowed',
          'this listener is for programs that ask it by its address or a local name; pages in browsers are not let in',
        );
      });
    },
  };
}

/** Whether a Referer is an address of this host; one that cannot be read is of none. */
function isOfHost(referer: string, host: string): boolean {
  return URL.canParse(referer) && new URL(referer).host === host.toLowerCase();
}

/** Whether an address is one of a local network by its form: numbers, a name without a dot, or one that nobody can buy. */
function isLocalName(host = ''): boolean {
  const name = host
    .replace(/:\d*$/, '')
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return (
    name === '' ||
    isIP(name) !== 0 ||
    !name.includes('.') ||
    /\.(local|lan|internal|home\.arpa|localhost)$/.test(name)
  );
}

/** As long as other keys are remembered: a body that came for longer asks again. */
const rememberedMs = 1000;

/** The access of the listener's key: asked for by each request, and once more when its body took its time. */
export function rememberAccess(find: () => Promise<CompatAccess | null>) {
  let known: { readonly access: CompatAccess | null; readonly atMs: number } | null = null;
  const afresh = async () => {
    const access = await find();
    known = { access, atMs: performance.now() };
    return access;
  };
  return {
    afresh,
    access: async () => (known && performance.now() - known.atMs < rememberedMs ? known.access : afresh()),
  };
}
