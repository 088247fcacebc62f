import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  defaultExiftoolOptions,
  type RunningExiftool,
  startExiftool,
} from '#server/drops/keywords/exiftool.js';
import { findFileKind } from '#server/drops/keywords/file-kind.js';
import { type WriteRequest, type Written, writeKeywords } from '#server/drops/keywords/write-keywords.js';
import { haveProgram } from '../support/have-program.js';

/** The signal of what nobody cancels. */
export function never(): AbortSignal {
  return new AbortController().signal;
}

/** exiftool as the service runs it, a folder for files, and Debian's own programs to read what was written. */
export interface KeywordTrial {
  readonly exiftool: RunningExiftool;
  readonly folder: string;
  put(name: string, bytes: Uint8Array): Promise<string>;
  /** Writes keywords into what is there under the name; where it was written is `outputPath`. */
  write(
    name: string,
    bytes: Uint8Array,
    keywords: readonly string[],
    options?: Partial<WriteRequest>,
  ): Promise<{ readonly written: Written; readonly inputPath: string; readonly outputPath: string }>;
  close(): Promise<void>;
}

export const havePerl = haveProgram('perl', ['-e', 'exit 0'], 'perl');
/** Debian's. The packages here bring another, which npm puts before it wherever it runs something. */
export const debianExiftool = '/usr/bin/exiftool';
export const haveExiftool = haveProgram(debianExiftool, ['-ver'], 'libimage-exiftool-perl');
export const haveExiv2 = haveProgram('exiv2', ['--version'], 'exiv2');

export async function startKeywordTrial(): Promise<KeywordTrial> {
  const folder = await mkdtemp(join(tmpdir(), 'keywords-'));
  const exiftool = startExiftool(defaultExiftoolOptions);
  let count = 0;
  const put = async (name: string, bytes: Uint8Array) => {
    count += 1;
    const path = join(folder, `${count} ${name}`);
    await writeFile(path, bytes);
    return path;
  };
  return {
    exiftool,
    folder,
    put,
    async write(name, bytes, keywords, options = {}) {
      const inputPath = await put(name, bytes);
      const outputPath = `${inputPath}.out`;
      const kind = await findFileKind(exiftool, inputPath, never());
      const request = {
        inputPath,
        outputPath,
        kind,
        keywords,
        rawFiles: 'sidecar',
        maxFileBytes: 1e8,
      } as const;
      const written = await writeKeywords(exiftool, { ...request, ...options }, never());
      return { written, inputPath, outputPath };
    },
    async close() {
      await exiftool.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type ReadTags = Readonly<Record<string, unknown>>;

/** As Debian's exiftool reads a file: every tag, doubles too, by its group. */
export function readByExiftool(path: string, ...args: readonly string[]): ReadTags {
  return readAllByExiftool([path], ...args)[0] ?? {};
}

/** The same of many files, in their order. */
export function readAllByExiftool(paths: readonly string[], ...args: readonly string[]): readonly ReadTags[] {
  const words = ['-q', '-j', '-G1', '-a', '-struct', ...args, ...paths];
  return JSON.parse(execFileSync(debianExiftool, words, { encoding: 'utf8', maxBuffer: 2 ** 28 }));
}

/** The items of a list as Debian's exiftool reads them; in its JSON, 1.50 would become a number. */
export function listByExiftool(path: string, tag: string): string[] {
  const text = execFileSync(debianExiftool, ['-s3', '-sep', '|||', `-${tag}`, path], { encoding: 'utf8' });
  return text.split(/\|\|\||\n/).filter((item) => item !== '');
}

/** The keywords that exiv2 finds in a place: `Iptc.Application2.Keywords` or `Xmp.dc.subject`. */
export function readByExiv2(path: string, key: string): string[] {
  const lines = execFileSync('exiv2', ['-q', '-P', 'kv', '-K', key, 'print', path], { encoding: 'utf8' });
  return lines
    .split('\n')
    .filter((line) => line.startsWith(key))
    .map((line) => line.slice(key.length).trim());
}

/** By tools of other makers, tags may be made in a file before it is tried. */
export function tagByExiftool(path: string, ...args: readonly string[]): void {
  execFileSync(debianExiftool, ['-q', '-overwrite_original', ...args, path], { stdio: 'pipe' });
}
