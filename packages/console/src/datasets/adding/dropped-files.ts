/** A file with its folder, whose name may be its label. */
export interface ChosenFile {
  readonly file: File;
  readonly folder: string | null;
}

/** Files of a file input; `webkitRelativePath` is empty unless a folder was chosen. */
export function fromChosenFiles(files: Iterable<File>): readonly ChosenFile[] {
  return [...files].filter(isNoLitter).map((file) => ({ file, folder: folderOf(file.webkitRelativePath) }));
}

/** The name of the folder of a file path; null if it has none. */
export function folderOf(path: string): string | null {
  return path.split('/').filter(Boolean).at(-2) ?? null;
}

/** Dropped files, also of folders. The entries must be read before the first await. */
export async function readDroppedFiles(transfer: DataTransfer): Promise<readonly ChosenFile[]> {
  const entries = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry());
  const given: ChosenFile[] = [];
  for (const entry of entries) if (entry) await walk(entry, null, given);
  return given;
}

async function walk(entry: FileSystemEntry, folder: string | null, given: ChosenFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    if (isNoLitter(file)) given.push({ file, folder });
    return;
  }
  if (!isFolder(entry)) return;
  const reader = entry.createReader();
  // A reader returns entries in batches, and an empty batch at the end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return;
    for (const inner of part) await walk(inner, entry.name, given);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** Files that operating systems leave in folders. */
function isNoLitter({ name }: File): boolean {
  return !name.startsWith('.') && name !== 'Thumbs.db' && name !== 'desktop.ini';
}
