import type { DropSession } from '../drop-folders.js';
import { writeLsLine } from '../servers/ls-line.js';
import { showPath } from '../servers/paths.js';
import { findSized } from './file-commands.js';
import { findListing, joinLines, type Listed, type Listing, readListing, writeFacts } from './listing.js';
import { pathOf } from './path-of.js';
import { Refusal, type Reply, reply } from './reply.js';
import type { Commands, FtpSession } from './session.js';
import { copyOut, takePendingData, transfer } from './transfer.js';

/** Listings: RFC 959, 4.1.3, and RFC 3659, 7. */
export const listingCommands: Commands = {
  LIST: { who: 'logged-in', argument: 'optional', run: list },
  NLST: { who: 'logged-in', argument: 'optional', run: listNames },
  MLSD: { who: 'logged-in', argument: 'optional', run: listFacts },
  MLST: { who: 'logged-in', argument: 'optional', run: reportFacts },
};

/** For STAT with a path: its reply is built in memory. */
const maxStatLines = 1000;

async function list(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const nowMs = session.service.clock();
  return sendListing(session, drop, withoutOptions(argument), ({ entry }) => writeLsLine(entry, nowMs));
}

/** Names begin with the requested path, so that the client can fetch them as listed: `NLST DCIM` returns `DCIM/a.jpg`. */
async function listNames(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const asked = withoutOptions(argument);
  return sendListing(session, drop, asked, ({ entry }, listing) => {
    if ('file' in listing) return asked;
    const prefix = listing.pattern === null ? asked : asked.slice(0, asked.lastIndexOf('/') + 1);
    return `${prefix}${prefix === '' || prefix.endsWith('/') ? '' : '/'}${entry.name}`;
  });
}

async function listFacts(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const { facts } = session.state;
  const path = pathOf(session, argument);
  if (path.length > 0 && (await drop.folders.find(path))?.kind === 'file') {
    throw new Refusal(501, `${showPath(path)} is a file: use MLST.`);
  }
  return sendListing(session, drop, argument, ({ entry, path: entryPath }) =>
    writeFacts(entry, entryPath, facts, entry.name),
  );
}

async function sendListing(
  session: FtpSession,
  drop: DropSession,
  argument: string,
  write: (one: Listed, listing: Listing) => string,
): Promise<Reply> {
  session.state.restartBytes = 0;
  const path = pathOf(session, argument);
  const pending = takePendingData(session);
  const listing = await findListing(drop.folders, path).catch((error: unknown) => {
    pending.discard();
    throw error;
  });
  if (!listing) {
    pending.discard();
    throw new Refusal(550, `There is no ${showPath(path)}.`);
  }
  const chunks = joinLines(readListing(drop.folders, listing), (one) => write(one, listing));
  await transfer(session, pending, reply(150, `Listing ${showPath(path)}.`), (connection, options) =>
    copyOut(connection, chunks, options),
  );
  return reply(226, 'Listed.');
}

async function reportFacts(session: FtpSession, argument: string, drop: DropSession): Promise<Reply> {
  const path = pathOf(session, argument);
  const root = { name: '/', kind: 'folder', sizeBytes: 0, modifiedMs: session.service.clock() } as const;
  const found = path.length === 0 ? root : await findSized(session, path, drop);
  if (!found) throw new Refusal(550, `There is no ${showPath(path)}.`);
  return reply(250, 'Facts:', writeFacts(found, path, session.state.facts, showPath(path)), 'End');
}

/** STAT with a path: a listing on the control connection. */
export async function reportListing(
  session: FtpSession,
  argument: string,
  { folders }: DropSession,
): Promise<Reply> {
  const path = pathOf(session, withoutOptions(argument));
  const listing = await findListing(folders, path);
  if (!listing) throw new Refusal(550, `There is no ${showPath(path)}.`);
  const lines: string[] = [];
  for await (const { entry } of readListing(folders, listing)) {
    if (lines.push(writeLsLine(entry, session.service.clock())) === maxStatLines) break;
  }
  return reply('file' in listing ? 213 : 212, `Status of ${showPath(path)}:`, ...lines, 'End');
}

/** Removes options of `ls`, which some clients send: `-la DCIM`. */
function withoutOptions(argument: string): string {
  return argument.replace(/^(\s*-\S*(\s+|$))+/, '').trim();
}
