import type { Commands } from './command.js';
import { reportListing } from './listing-commands.js';
import { Refusal } from './refusal.js';
import { type Reply, reply } from './reply.js';
import type { FtpSession } from './session.js';

/** What the service says of itself: RFC 959, 4.1.3. */
export const aboutCommands: Commands = {
  SYST: { who: 'anyone', argument: 'none', run: async () => reply(215, 'UNIX Type: L8') },
  NOOP: { who: 'anyone', argument: 'optional', run: async () => reply(200, 'Yes.') },
  CLNT: { who: 'anyone', argument: 'optional', run: async () => reply(200, 'Noted.') },
  SITE: {
    who: 'logged-in',
    argument: 'optional',
    run: async () => reply(502, 'There are no SITE commands here.'),
  },
  STAT: { who: 'anyone', argument: 'optional', run: reportStatus },
  // The time of a file is that of its arrival: to say that it was changed would be a lie.
  MFMT: {
    who: 'logged-in',
    argument: 'optional',
    run: async () => reply(502, 'A file has the time of its arrival.'),
  },
};

async function reportStatus(session: FtpSession, argument: string): Promise<Reply> {
  const { state, control } = session;
  if (argument !== '') {
    if (state.logIn.at !== 'in') throw new Refusal(530, 'Log in first.');
    return reportListing(session, argument, state.logIn.drop);
  }
  return reply(
    211,
    'Status:',
    state.logIn.at === 'in' ? 'logged in' : 'not logged in',
    `control connection: ${control.isSecure ? 'TLS' : 'plain text'}`,
    `data connections: ${state.isDataPrivate ? 'TLS' : 'plain text'}`,
    `type: ${state.type}`,
    'End',
  );
}
