import type { ProcessLeases } from '../../storage/leases/process-leases.js';
import { DropError } from '../drop-error.js';
import type { DropEntry, DropFolders, DropPath, DropUpload, UploadStart } from '../drop-folders.js';
import { beginFile, beginUniqueFile, resumeFile } from './begin-transfer.js';
import { insertWork, removeWork } from './file-jobs.js';
import { partId, removeParts, shownPart } from './file-parts.js';
import { createFileQuota } from './file-quota.js';
import { changeableStates, type DropRef, type FileRow, filesOf, findFile, updateFile } from './file-rows.js';
import { createFolderRows, folderEntry, noFolder } from './folder-rows.js';
import { areaOf, areas, type Location, locationOf, pathBelow, writableLocation } from './location.js';
import type { ReceiveDeps } from './receive-deps.js';
import { receiveFile } from './receive-file.js';
import { recoverCut } from './recover-cut.js';
import { isTemporaryName } from './temporary-name.js';
import { createTransferLeases } from './transfer-leases.js';
import { createUniqueLocations } from './unique-location.js';
import { readWithStorageErrors, withStorageErrors } from './with-storage-errors.js';

export interface FilesOfDropsDeps extends Omit<ReceiveDeps, 'transfers'> {
  readonly leases: Pick<ProcessLeases, 'owner' | 'leaseMs' | 'isAlone'>;
  /** Of one drop: files that are not done and not failed. */
  readonly maxUnfinishedFiles: number;
}

export type FilesOfDrops = ReturnType<typeof createFilesOfDrops>;

/** Rows read at once: their coming holds nobody up. */
const pageSize = 250;

/** The files of all drops: rows tell what there is, the data folder has the bytes. */
export function createFilesOfDrops(given: FilesOfDropsDeps) {
  const deps = { ...given, transfers: createTransferLeases(given.database, given.leases) };
  const { database, bytes, clock, maxUnfinishedFiles, jobs } = deps;
  const { query } = database;
  const folders = createFolderRows({ database, nowMs: clock });
  const takeFileQuota = createFileQuota(database, maxUnfinishedFiles);
  const reserveUniqueLocation = createUniqueLocations(database);

  const fileAt = async (drop: DropRef, path: DropPath): Promise<FileRow> => {
    const location = locationOf(path);
    const row = location && (await findFile(database, drop, location));
    if (row) return row;
    if (await folders.isThere(drop, path)) throw new DropError('wrong-kind', 'this is a folder');
    throw new DropError('not-found', 'there is no such file; what was sent on is in /done');
  };

  const checkCanCome = async (drop: DropRef, path: DropPath): Promise<void> => {
    const [isParentThere, isFolder] = await Promise.all([
      folders.isThere(drop, path.slice(0, -1)),
      folders.isThere(drop, path),
    ]);
    if (!isParentThere) throw noFolder(path.slice(0, -1));
    if (isFolder) throw new DropError('wrong-kind', 'this is the name of a folder');
    await takeFileQuota(drop);
  };

  const receiveUnique = async (drop: DropRef, wanted: Location): Promise<DropUpload> => {
    for (;;) {
      const { location, release } = await reserveUniqueLocation(drop, wanted);
      try {
        const begun = await beginUniqueFile(deps, drop, location);
        // Else another service has just received one of that name.
        if (begun !== null) return await receiveFile(deps, drop, begun);
      } finally {
        release();
      }
    }
  };

  /**
   * Removes a row that is still in one of these states, and then its bytes; why a file failed goes with it. Its sidecar stays: clients
   * that move files fetch and delete one after the other.
   */
  const removeRow = async (drop: DropRef, { id, area }: FileRow): Promise<void> => {
    const [removed] = await database.write([
      area === 'incoming'
        ? query.deleteFrom('drop_file').where('id', '=', id).where('state', 'in', changeableStates)
        : query
            .deleteFrom('drop_file')
            .where('id', 'in', area === 'failed' ? [id, partId(id, 'reason')] : [id])
            .where('ended_at', 'is not', null),
      removeWork(database, drop, id),
    ]);
    if (removed?.changes === 0) throw new DropError('busy', 'the file is being worked on');
    await removeParts(bytes, id, area === 'done' ? ['sidecar'] : []);
  };

  const renameFile = async (drop: DropRef, row: FileRow, to: Location): Promise<void> => {
    const { id, state, modified_at } = row;
    if (!changeableStates.includes(state)) throw new DropError('busy', 'the file is being worked on');
    // What was cut is not whole under any name.
    const after = state === 'partial' ? state : isTemporaryName(to.name) ? 'held' : 'arrived';
    const change = { ...to, state: after, modified_at: Math.max(clock(), modified_at + 1) } as const;
    const [renamed] = await database.write([
      updateFile(database, id, [state], change),
      ...(state === 'arrived' && after === 'held' ? [removeWork(database, drop, id)] : []),
      ...(state === 'held' && after === 'arrived' ? [insertWork(deps, drop, { ...row, ...to })] : []),
    ]);
    if (renamed?.changes !== 1) throw new DropError('busy', 'the file is being worked on');
    jobs.wake();
  };

  const rename = async (drop: DropRef, from: DropPath, to: DropPath): Promise<void> => {
    writableLocation(from);
    const location = writableLocation(to);
    if (await folders.isThere(drop, from)) return folders.rename(drop, from, to);
    const row = await fileAt(drop, from);
    if (!(await folders.isThere(drop, to.slice(0, -1)))) throw noFolder(to.slice(0, -1));
    if (await folders.isThere(drop, to)) throw new DropError('exists', 'there is a folder of that name');
    await renameFile(drop, row, location);
  };

  const receive = async (drop: DropRef, path: DropPath, start: UploadStart): Promise<DropUpload> => {
    const location = writableLocation(path);
    if (start.at === 'begin') {
      await checkCanCome(drop, path);
      return 'isUnique' in start
        ? receiveUnique(drop, location)
        : receiveFile(deps, drop, beginFile(deps, drop, location));
    }
    let row = await findFile(database, drop, location);
    // Whoever received it may have died.
    if (row?.state === 'receiving' && (await recoverCut(deps)) > 0) {
      row = await findFile(database, drop, location);
    }
    if (row?.state === 'receiving') throw new DropError('busy', 'another transfer of this file is under way');
    const resumed = row !== null && changeableStates.includes(row.state) ? row : null;
    const offsetBytes = start.at === 'end' ? (resumed?.size_bytes ?? 0) : start.offsetBytes;
    if (start.at === 'end') checkKnownSize(start.knownBytes, offsetBytes);
    // Its bytes may be in the data folder of another service.
    const bytesHere =
      resumed && offsetBytes > 0 ? Math.min(resumed.size_bytes, await bytes.sizeOf(resumed.id)) : 0;
    if (offsetBytes > bytesHere) {
      throw new DropError('offset', `only ${bytesHere} bytes of the file are here to go on from`);
    }
    if (resumed === null) await checkCanCome(drop, path);
    const begun =
      resumed === null ? beginFile(deps, drop, location) : await resumeFile(deps, drop, resumed, offsetBytes);
    return receiveFile(deps, drop, begun);
  };

  const foldersOf = (drop: DropRef): DropFolders => ({
    async find(path) {
      if (path.length < 2) {
        const isThere = await folders.isThere(drop, path);
        return isThere ? folderEntry(path[0] ?? '', clock()) : null;
      }
      const location = locationOf(path);
      const row = location && (await findFile(database, drop, location));
      if (row?.state === 'partial' || row?.state === 'receiving') return { ...fileEntry(row), isPart: true };
      if (row) return fileEntry(row);
      return (await folders.isThere(drop, path)) ? folderEntry(path.at(-1) ?? '', clock()) : null;
    },

    async *list(path) {
      if (path.length === 0) {
        for (const area of areas) yield folderEntry(area, clock());
        return;
      }
      const area = areaOf(path);
      if (area === null || !(await folders.isThere(drop, path))) throw noFolder(path);
      yield* folders.list(drop, path);
      for (let after: string | null = null; ; ) {
        let some = filesOf(database, drop)
          .clearSelect()
          .select(['name', 'size_bytes', 'modified_at'])
          .where('area', '=', area)
          .where('parent', '=', pathBelow(path));
        if (after !== null) some = some.where('name', '>', after);
        const rows: readonly ShownRow[] = await some
          .orderBy('name')
          .orderBy('created_at', 'desc')
          .limit(pageSize)
          .execute();
        for (const row of rows) {
          if (row.name !== after) yield fileEntry(row);
          after = row.name;
        }
        if (rows.length < pageSize) return;
      }
    },

    makeFolder: (path) => withStorageErrors(() => folders.make(drop, path)),
    removeFolder: (path) => withStorageErrors(() => folders.remove(drop, path)),
    removeFile: (path) => withStorageErrors(async () => removeRow(drop, await fileAt(drop, path))),
    rename: (from, to) => withStorageErrors(() => rename(drop, from, to)),
    receive: (path, start) => withStorageErrors(() => receive(drop, path, start)),

    async read(path, offsetBytes) {
      const row = await fileAt(drop, path);
      const stream = await bytes.read(partId(row.id, shownPart(row)), offsetBytes);
      if (stream === null) throw new DropError('not-found', 'the bytes of this file are gone');
      return { sizeBytes: row.size_bytes, stream: readWithStorageErrors(stream) };
    },
  });
  return {
    foldersOf,

    /**
     * Ends transfers that a dead service left, and those that this one ended without being able to write that down, as on a full
     * disk. Before anybody may send, and from then on now and then. Answers how many.
     */
    recoverCut: (): Promise<number> => recoverCut(deps),
  };
}

/** Throws `busy` where a client appends to another end than the one that it knows. */
function checkKnownSize(knownBytes: number | undefined, sizeBytes: number): void {
  if (knownBytes === undefined || knownBytes === sizeBytes) return;
  const had = `the file had ${knownBytes} bytes when its size was asked for, and has ${sizeBytes} now to go on from`;
  throw new DropError('busy', `${had}: ask for its size again, or send it whole`);
}

type ShownRow = Pick<FileRow, 'name' | 'size_bytes' | 'modified_at'>;

function fileEntry({ name, size_bytes, modified_at }: ShownRow): DropEntry {
  return { name, kind: 'file', sizeBytes: size_bytes, modifiedMs: modified_at };
}
