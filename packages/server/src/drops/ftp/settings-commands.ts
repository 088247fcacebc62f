import { type FactName, factNames } from './listing.js';
import { reportListing } from './listing-commands.js';
import { Refusal, type Reply, reply } from './reply.js';
import type { Commands, FtpSession } from './session.js';

/** Transfer parameters and options: RFC 959, 4.1.2, RFC 2389, and extensions of OPTS. */
export const settingCommands: Commands = {
  FEAT: { who: 'anyone', argument: 'none', run: reportFeatures },
  OPTS: { who: 'anyone', argument: 'required', run: setOption },
  TYPE: { who: 'logged-in', argument: 'required', run: setType },
  STRU: { who: 'logged-in', argument: 'required', run: only('F', 'Only files without structure (F).') },
  MODE: { who: 'logged-in', argument: 'required', run: only('S', 'Only streams (S).') },
  REST: { who: 'logged-in', argument: 'required', run: setRestart },
  ALLO: { who: 'logged-in', argument: 'required', run: takeSize },
};

async function reportFeatures({ service, state }: FtpSession): Promise<Reply> {
  const facts = factNames.map((name) => `${name}${state.facts.has(name) ? '*' : ''};`).join('');
  const active = service.options.allowsActive ? ['EPRT'] : [];
  const features = ['AUTH TLS', 'PBSZ', 'PROT', 'CLNT', ...active, 'EPSV', 'HOST', 'MDTM'];
  const more = [`MLST ${facts}`, 'PASV', 'REST STREAM', 'SIZE', 'UTF8'];
  return reply(211, 'Features:', ...features, ...more, 'End');
}

async function setOption({ state }: FtpSession, argument: string): Promise<Reply> {
  const [name = '', ...values] = argument.trim().split(/\s+/);
  switch (name.toUpperCase()) {
    case 'UTF8':
    case 'UTF-8':
      if (values[0] && values[0].toUpperCase() !== 'ON') return reply(504, 'Names are in UTF-8 here.');
      return reply(200, 'Names are in UTF-8.');
    case 'MLST': {
      const wanted = new Set((values[0] ?? '').toLowerCase().split(';'));
      const facts = factNames.filter((fact: FactName) => wanted.has(fact));
      state.facts = new Set(facts);
      return reply(200, `MLST OPTS ${facts.map((fact) => `${fact};`).join('')}`.trimEnd());
    }
    default:
      return reply(501, 'Only OPTS UTF8 and OPTS MLST are known here.');
  }
}

async function setType({ state }: FtpSession, argument: string): Promise<Reply> {
  switch (argument.trim().toUpperCase()) {
    case 'A':
    case 'A N':
      state.type = 'A';
      return reply(200, 'Text. Files are sent and kept as they are all the same.');
    case 'I':
    case 'L 8':
      state.type = 'I';
      return reply(200, 'Binary.');
    default:
      return reply(504, 'Only TYPE I, TYPE A and TYPE L 8 are known here.');
  }
}

function only(letter: string, text: string) {
  return async (_session: FtpSession, argument: string): Promise<Reply> =>
    argument.trim().toUpperCase() === letter ? reply(200, text) : reply(504, text);
}

/** Reserves no space; an upload of exactly this size is complete. */
async function takeSize({ state }: FtpSession, argument: string): Promise<Reply> {
  const [, bytes] = /^(\d{1,15})( R \d+)?$/i.exec(argument.trim()) ?? [];
  if (bytes === undefined) return reply(501, 'A number of bytes is wanted.');
  state.allocatedBytes = Number(bytes);
  return reply(200, 'Understood.');
}

async function setRestart({ state }: FtpSession, argument: string): Promise<Reply> {
  const bytes = Number(argument.trim());
  if (!/^\d{1,15}$/.test(argument.trim())) return reply(501, 'A number of bytes is wanted.');
  state.restartBytes = bytes;
  return reply(350, `The next transfer begins at byte ${bytes}.`);
}

/** Information about the server: RFC 959, 4.1.3. */
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
  // A file's time is that of its arrival and cannot be set; a positive reply would be false.
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
