import { setTimeout as wait } from 'node:timers/promises';
import type { Commands } from './command.js';
import { type Reply, reply } from './reply.js';
import { type FtpSession, forgetLogIn } from './session.js';

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
  if (service.logInThrottle.isBanned(peerAddress))
    return end(session, 421, 'Too many wrong log-ins; try later.');
  const drop = await service.logIn({ userName, password, host: state.host });
  if (drop === null) return refuse(session);
  const leaveSlot = service.connectionLimiter.logIn(drop);
  if (leaveSlot === null) {
    service.onEvent({ kind: 'turned-away', address: peerAddress, why: 'places of the log-in' });
    return end(session, 421, 'This drop, or its account, has as many connections as it may have.');
  }
  service.logInThrottle.right(peerAddress);
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

/** Later with each wrong one. */
async function refuse(session: FtpSession): Promise<Reply> {
  const { state, service, control, peerAddress, id, sessionAbort } = session;
  const { delayMs, isBanned } = service.logInThrottle.wrong(peerAddress);
  state.wrongLogIns++;
  service.onEvent({ kind: 'log-in-refused', connection: id, address: peerAddress, isBanned });
  const { gone } = control;
  const given = AbortSignal.any([gone, sessionAbort]);
  await wait(delayMs, undefined, { signal: given }).catch(() => undefined);
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
