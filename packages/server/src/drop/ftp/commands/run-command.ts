import { parseCommandLine } from '../control/command-line.js';
import type { ControlLine } from '../control/line-reader.js';
import { type Reply, reply } from '../control/reply.js';
import type { FtpSession } from '../session/session.js';
import { accessEnded } from '../session/watch-access.js';
import { replyToError } from './refusal.js';
import { commands } from './table.js';

/** Carries out one line, and answers what is left to say. Never throws. */
export async function runCommand(session: FtpSession, line: ControlLine): Promise<Reply | null> {
  if (line.kind === 'too-long') return reply(500, 'This line is too long.');
  const parsed = parseCommandLine(line.bytes);
  if (!parsed) return reply(500, 'This is no command.');
  const { verb, argument } = parsed;
  const { state, service, id } = session;
  // RFC 959: nothing may come between RNFR and RNTO.
  if (verb !== 'RNTO') state.renameFrom = null;
  const command = commands.get(verb);
  if (!command) return reply(502, 'This command is not known here.');
  if (command.argument === 'required' && argument === '') return reply(501, `${verb} needs an argument.`);
  try {
    if (command.who === 'anyone') return await command.run(session, argument);
    if (state.logIn.at !== 'in') return reply(530, 'Log in first.');
    const { drop } = state.logIn;
    if (!(await drop.isOpen())) {
      state.isOver = true;
      return accessEnded;
    }
    return await command.run(session, argument, drop);
  } catch (error) {
    const said = replyToError(error);
    if (said) return said;
    service.onEvent({ kind: 'failed', connection: id, error });
    return reply(451, 'Something went wrong here; try again.');
  }
}
