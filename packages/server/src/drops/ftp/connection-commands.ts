import { isIPv6 } from 'node:net';
import { bareAddress } from '../servers/client-network.js';
import { type ActiveTarget, findPublicAddress, parseExtendedPort, parsePort } from './addresses.js';
import { connectActive, listenPassive, type PassiveData } from './pending-data.js';
import { Refusal, type Reply, reply } from './reply.js';
import type { Commands, FtpSession } from './session.js';

/** Negotiation of data connections: RFC 959 and 2428. */
export const connectingCommands: Commands = {
  PASV: { who: 'logged-in', argument: 'optional', run: listenOnIpv4 },
  EPSV: { who: 'logged-in', argument: 'optional', run: listenOnAny },
  PORT: { who: 'logged-in', argument: 'required', run: (session, text) => goTo(session, parsePort(text)) },
  EPRT: { who: 'logged-in', argument: 'required', run: goToExtended },
};

const isOnIpv6 = ({ reachedAddress }: FtpSession): boolean => isIPv6(bareAddress(reachedAddress));

async function listenOnIpv4(session: FtpSession): Promise<Reply> {
  checkOthersAllowed(session);
  if (isOnIpv6(session)) return reply(425, 'PASV is of IPv4, and you came by IPv6: use EPSV.');
  const { port } = await listen(session);
  const { service, peerAddress, reachedAddress } = session;
  const address =
    findPublicAddress(service.options.publicAddresses, peerAddress) ?? bareAddress(reachedAddress);
  const numbers = [...address.split('.'), port >> 8, port & 255].join(',');
  return reply(227, `Entering Passive Mode (${numbers}).`);
}

async function listenOnAny(session: FtpSession, argument: string): Promise<Reply> {
  const wanted = argument.trim().toUpperCase();
  if (wanted === 'ALL') {
    session.state.isExtendedOnly = true;
    return reply(200, 'From now on EPSV only.');
  }
  const family = isOnIpv6(session) ? '2' : '1';
  if (wanted !== '' && wanted !== family)
    return reply(522, `Network protocol not supported, use (${family})`);
  const { port } = await listen(session);
  return reply(229, `Entering Extended Passive Mode (|||${port}|)`);
}

async function goToExtended(session: FtpSession, argument: string): Promise<Reply> {
  const target = parseExtendedPort(argument.trim());
  if (target === 'protocol') return reply(522, 'Network protocol not supported, use (1,2)');
  return goTo(session, target);
}

/** Only the client's own address: otherwise clients could make the server connect to third parties (bounce attack, RFC 2577). */
async function goTo(session: FtpSession, target: ActiveTarget | null): Promise<Reply> {
  const { service, state, peerAddress } = session;
  checkOthersAllowed(session);
  if (!service.options.allowsActive) return reply(502, 'Active mode is off here: use PASV or EPSV.');
  if (target === null) return reply(501, 'This is no address with a port.');
  if (bareAddress(target.address) !== bareAddress(peerAddress) || target.port < 1024) {
    return reply(504, 'Data goes only to the address that you come from, at ports from 1024.');
  }
  state.pendingData?.discard();
  state.pendingData = connectActive(target.address, target.port);
  return reply(200, 'Understood.');
}

function checkOthersAllowed({ state }: FtpSession): void {
  if (state.isExtendedOnly) throw new Refusal(503, 'After EPSV ALL only EPSV is taken.');
}

async function listen({ service, state, localAddress, peerAddress, id }: FtpSession): Promise<PassiveData> {
  state.pendingData?.discard();
  state.pendingData = null;
  if (state.logIn.at !== 'in') throw new Refusal(530, 'Log in first.');
  const leave = service.connectionLimiter.listen(state.logIn.drop);
  if (leave === null) {
    throw new Refusal(425, 'This account waits for data on as many ports as it may; try again.');
  }
  const pending = await listenPassive({
    localAddress,
    ports: service.options.passivePorts,
    peerAddress,
    identifyPeer: service.identifyPeer,
    expiresAfterMs: service.options.limits.dataTimeoutMs,
    onForeignConnection: (address) =>
      service.onEvent({ kind: 'foreign-data-connection', connection: id, address }),
    onFree: leave,
  });
  if (!pending) {
    service.onEvent({ kind: 'no-passive-port' });
    throw new Refusal(425, 'No port is free for data just now; try again.');
  }
  state.pendingData = pending;
  return pending;
}
