import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { jsonMember, type TarMember, textMember, writeTar } from '../../storage/archive/write-tar.js';
import {
  type ArchiveEnd,
  type ArchiveHeader,
  type Contents,
  dumpName,
  endName,
  hashRecords,
  headerName,
  kindOfFile,
  linesInManifest,
  type ManifestLine,
  type MemberKind,
  manifestName,
  sqliteName,
  toManifestText,
} from './archive-format.js';
import { listed, type Plan, type PlannedFile } from './plan-archive.js';
import type { Snapshot } from './snapshot.js';

/** Of a piece of a dump, whose size is not known before: it is held in memory. */
const dumpPieceBytes = 8 * 1024 * 1024;

interface ArchiveParts {
  readonly header: ArchiveHeader;
  readonly snapshot: Pick<Snapshot, 'kind' | 'sizeBytes' | 'read'>;
  readonly plan: Pick<Plan, 'read'>;
  /** Called after all else is written, with files that were deleted meanwhile. */
  readonly account: (gone: ReadonlySet<string>) => Promise<Losses>;
  readonly onEnd: (end: ArchiveEnd) => void;
}

interface Losses {
  readonly missing: ReadonlySet<string>;
  readonly deletedMeanwhile: ReadonlySet<string>;
}

/** An archive, piece by piece. */
export function writeArchive(parts: ArchiveParts): AsyncIterable<Uint8Array> {
  return writeTar(membersOf(parts));
}

async function* membersOf({
  header,
  snapshot,
  plan,
  account,
  onEnd,
}: ArchiveParts): AsyncIterable<TarMember> {
  const headerText = JSON.stringify(header);
  yield textMember(headerName, headerText);
  const manifest = createManifest();
  for await (const { name, sizeBytes, content } of databaseMembers(snapshot)) {
    yield manifest.member('database', name, sizeBytes, content);
    yield* manifest.whenFull();
  }
  const gone = new Set<string>();
  for await (const file of plan.read()) {
    const kind = kindOfFile(file.path);
    if (kind === null) throw new Error(`${file.path} has no kind`);
    const opened = await openFile(file);
    if (opened === null) {
      gone.add(file.path);
      continue;
    }
    try {
      yield manifest.member(kind, `data/${file.path}`, file.sizeBytes, opened.content);
    } finally {
      await opened.close();
    }
    yield* manifest.whenFull();
  }
  yield* manifest.rest();
  const { missing, deletedMeanwhile } = await account(gone);
  const sums: ArchiveEnd = {
    ...manifest.sums(),
    missing: listed(missing),
    deletedMeanwhile: listed(deletedMeanwhile),
  };
  const end: ArchiveEnd = { ...sums, recordsSha256: hashRecords(headerText, sums) };
  yield jsonMember(endName, end);
  onEnd(end);
}

async function* databaseMembers({
  kind,
  sizeBytes,
  read,
}: ArchiveParts['snapshot']): AsyncIterable<TarMember> {
  if (kind === 'sqlite' && sizeBytes !== null) {
    yield { name: sqliteName, sizeBytes, content: read() };
    return;
  }
  let [count, bytes] = [0, 0];
  let pieces: Uint8Array[] = [];
  const take = (): TarMember => {
    count += 1;
    const member = { name: dumpName(count), sizeBytes: bytes, content: pieces };
    pieces = [];
    bytes = 0;
    return member;
  };
  for await (const piece of read()) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes >= dumpPieceBytes) yield take();
  }
  if (bytes > 0) yield take();
}

/** Null when it is gone. Exactly as many bytes as were planned: a file that grows is read up to there. */
async function openFile({ source, sizeBytes }: PlannedFile) {
  const file = await open(source, constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
  if (file === null) return null;
  const content =
    sizeBytes === 0 ? [] : file.createReadStream({ start: 0, end: sizeBytes - 1, autoClose: false });
  return { content, close: () => file.close() };
}

/** What went into the archive, with hashes made on the way. */
function createManifest() {
  const contents: Contents = {};
  const all = createHash('sha256');
  let [count, lines]: [number, ManifestLine[]] = [0, []];
  const flush = (): TarMember => {
    const text = Buffer.from(toManifestText(lines));
    all.update(text);
    lines = [];
    count += 1;
    return { name: manifestName(count), sizeBytes: text.byteLength, content: [text] };
  };
  return {
    member(kind: MemberKind, path: string, bytes: number, content: TarMember['content']): TarMember {
      const hashed = async function* () {
        const hash = createHash('sha256');
        for await (const piece of content) {
          hash.update(piece);
          yield piece;
        }
        const sum = contents[kind] ?? { files: 0, bytes: 0 };
        contents[kind] = { files: sum.files + 1, bytes: sum.bytes + bytes };
        lines.push({ path, bytes, sha256: hash.digest('hex'), kind });
      };
      return { name: path, sizeBytes: bytes, content: hashed() };
    },
    *whenFull() {
      if (lines.length >= linesInManifest) yield flush();
    },
    *rest() {
      if (lines.length > 0) yield flush();
    },
    sums: () => ({ contents, manifestSha256: all.digest('hex') }),
  };
}
