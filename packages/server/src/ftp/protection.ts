import type { Commands } from './command.js';
import { type Reply, reply } from './reply.js';
import { type FtpSession, forgetLogIn } from './session.js';

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
  // RFC 7151, 3.2: which host is meant may be said before TLS begins, and holds after.
  state.host = host;
  const result = await control.secure(reply(234, 'Begin TLS.'), service.secureContext());
  if (result === 'injected') {
    service.onEvent({ kind: 'plain-text-before-tls', connection: id, address: peerAddress });
  }
  if (result !== 'secure') state.isOver = true;
  // The 234 was said in plain text, before TLS.
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
  // Python's ftplib asks for PROT C without PBSZ, and there is nothing that it could weaken.
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
