import { createHash } from 'node:crypto';
import { type ReadMember, readTar, readWhole, TarError } from '../../storage/archive/read-tar.js';
import {
  ArchiveEnd,
  ArchiveHeader,
  type ArchiveSummary,
  type Contents,
  dumpName,
  endName,
  hashRecords,
  headerName,
  kindOfFile,
  linesInManifest,
  ManifestLine,
  type MemberKind,
  manifestName,
  maxRecordBytes,
  parseRecord,
  refuse,
  sqliteName,
  toManifestText,
} from './archive-format.js';

/** Takes what is read. What it gets is checked only once the whole archive was read. */
export interface ArchiveSink {
  begin(header: ArchiveHeader): Promise<void>;
  /** `path` is below the data folder. The content is read to its end. */
  file(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** One piece of the database after the other. */
  database(content: AsyncIterable<Uint8Array>): Promise<void>;
}

/**
 * Reads an archive front to back and checks all of it: hashes, sizes, order, and that nothing is in it that a backup does
 * not write. Throws where it does not hold; what the sink took is then worth nothing.
 */
export async function readArchive(
  pieces: AsyncIterable<Uint8Array>,
  sink: ArchiveSink,
): Promise<ArchiveSummary> {
  const members = readTar(pieces);
  try {
    return await readAll(members, sink);
  } catch (error) {
    throw error instanceof TarError ? refuse(error.message, error) : error;
  } finally {
    await members.return();
  }
}

async function readAll(
  members: AsyncGenerator<ReadMember, void>,
  sink: ArchiveSink,
): Promise<ArchiveSummary> {
  const first = await members.next();
  if (first.done || first.value.name !== headerName) {
    throw refuse(`it does not begin with ${headerName}: it is not what "lynceus backup --with-files" writes`);
  }
  const headerText = await readText(first.value);
  const header = parseRecord(ArchiveHeader, headerName, headerText);
  await sink.begin(header);
  const seen = createSeen(header);
  let end: ArchiveEnd | null = null;
  for await (const member of members) {
    const { name } = member;
    if (end !== null) throw refuse(`${JSON.stringify(name.slice(0, 200))} follows its end`);
    if (name === seen.nextManifest()) seen.checkManifest(await readText(member));
    else if (name === endName) end = seen.checkEnd(parseRecord(ArchiveEnd, endName, await readText(member)));
    else if (seen.isNextDatabase(name)) {
      await seen.read(member, 'database', (content) => sink.database(content));
    } else {
      const path = seen.nextFile(name);
      await seen.read(member, path.kind, (content) => sink.file(path.below, content));
    }
  }
  if (end === null) throw refuse('it was cut short: its end is missing');
  if (end.recordsSha256 !== undefined && end.recordsSha256 !== hashRecords(headerText, end)) {
    throw refuse(`its ${headerName} or ${endName} was changed`);
  }
  return { header, end };
}

/** What was read so far, held against what the archive says of itself. */
function createSeen(header: ArchiveHeader) {
  const contents: Contents = {};
  const manifests = createHash('sha256');
  let [manifestsRead, dumpsRead, lastFile] = [0, 0, ''];
  let [files, fileBytes] = [0, 0];
  let lines: ManifestLine[] = [];

  const count = (kind: MemberKind, name: string, bytes: number): void => {
    const sum = contents[kind] ?? { files: 0, bytes: 0 };
    contents[kind] = { files: sum.files + 1, bytes: sum.bytes + bytes };
    if (kind === 'database') {
      if (header.databaseBytes === null || sum.bytes + bytes <= header.databaseBytes) return;
    } else {
      files += 1;
      fileBytes += bytes;
      if (files <= header.files && fileBytes <= header.fileBytes) return;
    }
    throw refuse(`with ${name} it has more than it says of itself`);
  };

  return {
    nextManifest: () => manifestName(manifestsRead + 1),

    isNextDatabase(name: string): boolean {
      if (lastFile !== '') return false;
      return header.database === 'sqlite'
        ? name === sqliteName && dumpsRead === 0
        : name === dumpName(dumpsRead + 1);
    },

    nextFile(name: string) {
      const below = name.startsWith('data/') ? name.slice('data/'.length) : '';
      const kind = kindOfFile(below);
      if (kind === null || (kind === 'secret' && !header.hasSecrets)) {
        throw refuse(`${JSON.stringify(name.slice(0, 200))} does not belong into it`);
      }
      // Which finds a path that comes twice as well.
      if (name <= lastFile) throw refuse(`${name} is not in its place`);
      lastFile = name;
      return { below, kind };
    },

    async read(
      { name, sizeBytes, content }: ReadMember,
      kind: MemberKind,
      take: (content: AsyncIterable<Uint8Array>) => Promise<void>,
    ): Promise<void> {
      if (lines.length >= linesInManifest) throw refuse('a manifest is missing');
      if (kind === 'database') dumpsRead += 1;
      count(kind, name, sizeBytes);
      const hash = createHash('sha256');
      await take(hashed(content, hash));
      lines.push({ path: name, bytes: sizeBytes, sha256: hash.digest('hex'), kind });
    },

    checkManifest(text: string): void {
      if (text !== toManifestText(lines)) throw refuse(findDifference(text, lines));
      manifests.update(text);
      manifestsRead += 1;
      lines = [];
    },

    checkEnd(end: ArchiveEnd): ArchiveEnd {
      if (lines.length > 0) throw refuse('a manifest is missing');
      if (manifests.digest('hex') !== end.manifestSha256) throw refuse('its manifest was changed');
      if (dumpsRead === 0) throw refuse('it has no database');
      for (const kind of new Set([...Object.keys(contents), ...Object.keys(end.contents)])) {
        const [ours, theirs] = [contents, end.contents].map((each) => JSON.stringify(entryOf(each, kind)));
        if (ours !== theirs) throw refuse(`it has other files of the kind ${kind} than it says`);
      }
      return end;
    },
  };
}

function entryOf(contents: Contents, kind: string) {
  const found = contents[kind];
  return found && [found.files, found.bytes];
}

async function* hashed(content: AsyncIterable<Buffer>, hash: { update(piece: Buffer): unknown }) {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

function findDifference(text: string, lines: readonly ManifestLine[]): string {
  const written = text.split('\n').slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const found = written[index];
    if (found === undefined) break;
    if (`${found}\n` === toManifestText([line])) continue;
    const { path } = parseRecord(ManifestLine, 'manifest', found);
    if (path === line.path) return `${path} is damaged: it has other bytes than its manifest says`;
    break;
  }
  return 'its manifest names other files than it has';
}

async function readText(member: ReadMember): Promise<string> {
  return (await readWhole(member, maxRecordBytes)).toString('utf8');
}
