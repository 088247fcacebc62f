import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SharingOptions {
  /** A folder for this service alone, best in shared memory; created when missing. */
  readonly dir: string;
  /** Bytes of all pixels shared at once; an image above what is left stays in one process. */
  readonly maxBytes: number;
}

/** An empty file for one image's pixels. `remove` may be called more than once. */
export interface PixelFile {
  readonly path: string;
  remove(): Promise<void>;
}

const filePattern = /^pixels-\d+$/;

/**
 * The files that pass decoded images between inference processes. The service creates and removes them, and
 * processes only open existing files, so that a process may crash at any time and leave nothing.
 */
export class PixelFiles {
  readonly #options: SharingOptions;
  #bytesInUse = 0;
  #serial = 0;

  constructor(options: SharingOptions) {
    this.#options = options;
  }

  /** Creates the folder and removes files of a service that was killed. */
  async prepare(): Promise<void> {
    const { dir } = this.#options;
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const left = (await readdir(dir)).filter((name) => filePattern.test(name));
    await Promise.all(left.map((name) => rm(join(dir, name), { force: true })));
  }

  /** Null above the limit: one process then does all the work. */
  async create(bytes: number): Promise<PixelFile | null> {
    const { dir, maxBytes } = this.#options;
    if (this.#bytesInUse + bytes > maxBytes) return null;
    this.#bytesInUse += bytes;
    this.#serial += 1;
    const path = join(dir, `pixels-${this.#serial}`);
    let removing: Promise<void> | undefined;
    const remove = async () => {
      // Files that cannot be removed now are removed at the next start.
      await rm(path, { force: true }).catch(() => undefined);
      this.#bytesInUse -= bytes;
    };
    const file = {
      path,
      remove: () => {
        removing ??= remove();
        return removing;
      },
    };
    try {
      await writeFile(path, '', { flag: 'wx', mode: 0o600 });
      return file;
    } catch {
      await file.remove();
      return null;
    }
  }
}
