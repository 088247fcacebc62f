import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultDropSettings } from '#server/drops/drop-settings.js';
import type { Findings } from '#server/drops/keywords/choose-keywords.js';
import { defaultExiftoolOptions, startExiftool } from '#server/drops/keywords/exiftool.js';
import { createFolderTagging } from '#server/tagging/folder-tagging.js';
import type { TagDeps } from '#server/tagging/tag-image.js';
import { type UndoVerdict, undoFolder } from '#server/tagging/undo-folder.js';
import type { TagVerdict } from '#server/tagging/verdict.js';
import { walkFolders } from '#server/tagging/walk-folders.js';
import { createWorkPlace } from '#server/tagging/work-place.js';

/** What is found in every image of a trial. */
export function foundIn(...titles: readonly string[]): Findings {
  return { objects: titles.map((title) => ({ label: { title }, score: 0.9 })) };
}

/**
 * Tags folders with real metadata and an invented recognition.
 * @param onLine gets the path of each file as it is done
 */
export async function startTagTrial(onLine: (path: string) => void = () => undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-tag-trial-'));
  const work = await mkdtemp(join(tmpdir(), 'lynceus-tag-work-'));
  const exiftool = startExiftool(defaultExiftoolOptions);
  const workPlace = createWorkPlace(async () => work);
  const signal = new AbortController().signal;
  const usual: TagDeps = {
    ...{ exiftool, workPlace, settings: defaultDropSettings, fingerprint: 'one', maxFileBytes: 1e8 },
    ...{ settleMs: 0, isAgain: false, isTrial: false, isWatching: false },
    recognise: async () => foundIn('otter'),
  };
  return {
    folder,
    work,
    usual,
    async tag(
      path: string = folder,
      change: Partial<TagDeps> = {},
      maxOpen?: number,
    ): Promise<readonly TagVerdict[]> {
      const verdicts: TagVerdict[] = [];
      const onUnreadable = () => undefined;
      const tagging = createFolderTagging({ ...usual, ...change }, maxOpen);
      const onVerdict = (verdict: TagVerdict) => {
        verdicts.push(verdict);
        onLine(verdict.path);
      };
      try {
        for await (const each of walkFolders(path, { isRecursive: true, onUnreadable })) {
          await tagging.tag(each, { inFlight: 2, signal, onVerdict });
        }
      } finally {
        await tagging.end();
      }
      return verdicts.sort((one, other) => (one.path < other.path ? -1 : 1));
    },
    async undo(path: string = folder, isTrial = false): Promise<readonly UndoVerdict[]> {
      const verdicts: UndoVerdict[] = [];
      const onVerdict = (verdict: UndoVerdict) => {
        verdicts.push(verdict);
        onLine(verdict.path);
      };
      await undoFolder(path, { workPlace, isTrial, signal, onVerdict });
      return verdicts;
    },
    async put(name: string, bytes: Uint8Array): Promise<string> {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    },
    /** Names in the journal of a folder, without those of its lock. */
    async journal(path: string = folder): Promise<readonly string[]> {
      const names = await readdir(join(path, '.lynceus-tag'));
      return names
        .filter((name) => !name.startsWith('lock.db'))
        .map((name) => name.replace(/^[0-9a-f]{32}/, ''));
    },
    async close() {
      await exiftool.close();
      await rm(folder, { recursive: true, force: true });
      await rm(work, { recursive: true, force: true });
    },
  };
}

export type TagTrial = Awaited<ReturnType<typeof startTagTrial>>;

export async function hashOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
