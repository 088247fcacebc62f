import { setTimeout as wait } from 'node:timers/promises';
import type { LogInTry } from '../servers/log-in-throttle.js';
import { type Reply, reply } from './reply.js';
import { type Commands, type FtpSession, forgetLogIn } from './session.js';

/** RFC 959, 4.1.1, and RFC 7151. */
export const logInCommands: Commands = {
  HOST: { who: 'anyone', argument: 'required', run: takeHost },
  USER: { who: 'anyone', argument: 'required', run: takeUser },
  PASS: { who: 'anyone', argument: 'optional', run: logIn },
  ACCT: { who: 'anyone', argument: 'optional', run: async () => reply(202, 'No account is needed.') },
  REIN: { who: 'anyone', argument: 'none', run: reinitialize },
  QUIT: { who: 'anyone', argument: 'optional', run: leave },
};

async function takeHost({ state }: FtpSession, argument: string): Promise<Reply> {
  if (state.logIn.at !== 'start') return reply(503, 'HOST goes before USER.');
  const name = argument.trim();
  if (name.length > 255 || !/^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/.test(name)) {
    return reply(501, 'This is no host name.');
  }
  state.host = name;
  return reply(220, 'Ready; log in.');
}

async function takeUser({ state, service, control }: FtpSession, argument: string): Promise<Reply> {
  if (state.logIn.at === 'in') return reply(503, 'You are logged in already; REIN starts over.');
  if (service.options.requiresTls && !control.isSecure) {
    return reply(530, 'TLS is required here: send AUTH TLS before USER.');
  }
  state.logIn = { at: 'named', userName: argument };
  return reply(331, 'Now the password, which is the API key of the drop.');
}

async function logIn(session: FtpSession, password: string): Promise<Reply> {
  const { state, service, control, peerAddress, id } = session;
  if (state.logIn.at !== 'named') return reply(503, 'USER goes before PASS.');
  const { userName } = state.logIn;
  state.logIn = { at: 'start' };
  const attempt = await service.logInThrottle.begin(peerAddress);
  if (attempt === null) return end(session, 421, 'Too many wrong log-ins; try later.');
  const drop = await service.logIn({ userName, password, host: state.host });
  if (drop === null) return refuse(session, attempt);
  await attempt.succeed();
  const leaveSlot = service.connectionLimiter.logIn(drop);
  if (leaveSlot === null) {
    service.onEvent({ kind: 'connection-refused', address: peerAddress, why: 'log-in limit' });
    return end(session, 421, 'This drop, or its account, has as many connections as it may have.');
  }
  state.logIn = { at: 'in', drop, leave: leaveSlot };
  service.onEvent({
    kind: 'logged-in',
    connection: id,
    address: peerAddress,
    accountId: drop.accountId,
    dropId: drop.dropId,
    isSecure: control.isSecure,
  });
  return reply(230, 'Logged in.');
}

/** Each further failure of an address is answered later. */
async function refuse(session: FtpSession, attempt: LogInTry): Promise<Reply> {
  const { state, service, control, peerAddress, id, sessionAbort } = session;
  const { delayMs, isBanned } = await attempt.fail();
  state.wrongLogIns++;
  service.onEvent({ kind: 'log-in-refused', connection: id, address: peerAddress, isBanned });
  const { gone } = control;
  const ended = AbortSignal.any([gone, sessionAbort]);
  await wait(delayMs, undefined, { signal: ended }).catch(() => undefined);
  if (isBanned || state.wrongLogIns >= service.options.limits.logInThrottle.maxPerConnection) {
    return end(session, 421, 'Too many wrong log-ins.');
  }
  return reply(530, 'User name, host or API key are wrong.');
}

async function reinitialize(session: FtpSession): Promise<Reply> {
  forgetLogIn(session);
  return reply(220, 'Ready; log in.');
}

async function leave(session: FtpSession): Promise<Reply> {
  return end(session, 221, 'Goodbye.');
}

function end({ state }: FtpSession, code: number, text: string): Reply {
  state.isOver = true;
  return reply(code, text);
}

/** RFC 2228 and 4217. */
export const protectionCommands: Commands = {
  AUTH: { who: 'anyone', argument: 'required', run: beginTls },
  PBSZ: { who: 'anyone', argument: 'required', run: takeBufferSize },
  PROT: { who: 'anyone', argument: 'required', run: protectData },
  CCC: {
    who: 'anyone',
    argument: 'none',
    run: async () => reply(534, 'What was begun in TLS is ended in it.'),
  },
};

async function beginTls(session: FtpSession, argument: string): Promise<Reply | null> {
  const { control, service, state, id, peerAddress } = session;
  if (!/^TLS(-C)?$/i.test(argument.trim())) return reply(504, 'Only AUTH TLS is known here.');
  if (control.isSecure) return reply(503, 'TLS has begun already.');
  if (state.logIn.at === 'in') return reply(503, 'AUTH goes before the log-in.');
  const { host } = state;
  forgetLogIn(session);
  // RFC 7151, 3.2: HOST may precede AUTH TLS and stays in effect.
  state.host = host;
  const result = await control.secure(reply(234, 'Begin TLS.'), service.secureContext());
  if (result === 'injected') {
    service.onEvent({ kind: 'plain-text-before-tls', connection: id, address: peerAddress });
  }
  if (result !== 'secure') state.isOver = true;
  // The 234 was sent in plain text, before the handshake.
  return null;
}

async function takeBufferSize({ control, state }: FtpSession, argument: string): Promise<Reply> {
  if (!control.isSecure) return reply(503, 'AUTH TLS goes before PBSZ.');
  if (!/^\d{1,10}$/.test(argument.trim())) return reply(501, 'A number is wanted, such as PBSZ 0.');
  state.hasBufferSize = true;
  return reply(200, 'PBSZ=0');
}

async function protectData({ control, state, service }: FtpSession, argument: string): Promise<Reply> {
  const level = argument.trim().toUpperCase();
  // Python's ftplib sends PROT C without PBSZ, which cannot weaken anything.
  if (!control.isSecure || !(state.hasBufferSize || level === 'C')) {
    return reply(503, 'AUTH TLS and PBSZ 0 go before PROT.');
  }
  switch (level) {
    case 'P':
      state.isDataPrivate = true;
      return reply(200, 'Data connections use TLS.');
    case 'C':
      if (service.options.requiresTls) return reply(534, 'TLS is required here for data too.');
      state.isDataPrivate = false;
      return reply(200, 'Data connections are in plain text.');
    case 'S':
    case 'E':
      return reply(536, 'TLS knows PROT P and PROT C only.');
    default:
      return reply(504, 'Only PROT P and PROT C are known here.');
  }
}
