import { dirname, relative } from 'node:path';
import type { UndoVerdict } from '../tagging/undo-folder.js';
import type { TagVerdict } from '../tagging/verdict.js';
import type { CommandContext } from './context.js';
import { createImageProgress } from './image-progress.js';
import type { Terminal } from './install-progress.js';
import { toPrintable } from './printable.js';
import { formatTable } from './table.js';

/** Shows what becomes of the images of a folder: a line for each that something was done with, and below them a bar. */
export interface TagView {
  showTagged(verdict: TagVerdict): void;
  showUndone(verdict: UndoVerdict): void;
  /** One more file was looked at. */
  countFile(): void;
  /**
   * Takes the bar away and prints how many images had which outcome.
   * @param empty what is printed where there were none
   */
  close(empty?: string): void;
  readonly failed: number;
}

interface TagViewOptions {
  readonly context: Pick<CommandContext, 'print'>;
  readonly terminal: Terminal;
  /** The folder, from which paths are shown. */
  readonly root: string;
  /** For the bar; null for none. */
  readonly files: number | null;
  /** One line of JSON an image, and no table. */
  readonly isJson: boolean;
  /** Nothing is written: what would be. */
  readonly isTrial: boolean;
}

/** Rows of the table, in its order. */
const rowNames: Readonly<Record<TagVerdict['outcome'] | UndoVerdict['outcome'], string>> = {
  tagged: 'tagged',
  'nothing-to-add': 'nothing to add',
  'nothing-found': 'nothing found',
  'done-before': 'done before',
  'undone-before': 'undone before',
  unsettled: 'not complete yet',
  'passed-over': 'passed over',
  undone: 'undone',
  changed: 'changed since',
  gone: 'gone',
  failed: 'failed',
};
/** Of these there may be a hundred thousand, and nothing was done with them. */
const silent: ReadonlySet<string> = new Set(['done-before', 'undone-before', 'unsettled', 'passed-over']);
const failures: ReadonlySet<string> = new Set(['failed', 'changed', 'gone']);

export function createTagView(options: TagViewOptions): TagView {
  const { context, terminal, root, files, isJson, isTrial } = options;
  const progress = files === null ? null : createImageProgress(terminal, files);
  const counts = new Map<string, number>();
  let [done, failed] = [0, 0];
  const countUndone = createImageCount();
  const count = (outcome: string) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const show = (outcome: TagVerdict['outcome'] | UndoVerdict['outcome'], line: () => string) => {
    if (failures.has(outcome)) failed += 1;
    if (silent.has(outcome)) return;
    progress?.clear();
    context.print(line());
    progress?.draw(done);
  };
  const nameOf = (path: string) => relative(root, path) || '.';
  const asLine = (path: string, words: string) => toPrintable(`${nameOf(path)}: ${words}`);
  return {
    showTagged({ path, outcome, added, sidecar, reason }) {
      count(outcome);
      show(outcome, () => {
        const beside = sidecar === null ? null : nameOf(sidecar);
        if (isJson) {
          return JSON.stringify({ file: nameOf(path), outcome, keywords: added, sidecar: beside, reason });
        }
        if (outcome !== 'tagged') return asLine(path, reason ?? rowNames[outcome]);
        return asLine(path, `${added.join(', ')}${beside === null ? '' : ` (in ${beside})`}`);
      });
    },
    showUndone({ path, outcome, removed, reason }) {
      if (outcome !== 'undone' || countUndone(path)) count(outcome);
      show(outcome, () =>
        isJson
          ? JSON.stringify({ file: nameOf(path), outcome, removed, reason })
          : asLine(path, reason ?? `${rowNames[outcome]}: ${removed.join(', ')}`),
      );
    },
    countFile() {
      done += 1;
      progress?.draw(done);
    },
    close(empty = 'no images') {
      progress?.clear();
      if (isJson) return;
      const rows = Object.entries(rowNames).flatMap(([outcome, name]) => {
        const count = counts.get(outcome);
        return count === undefined ? [] : [[name, String(count)]];
      });
      if (rows.length === 0) context.print(empty);
      else context.print(`\n${formatTable([isTrial ? 'WOULD BE' : 'OUTCOME', 'IMAGES'], rows)}`);
    },
    get failed() {
      return failed;
    },
  };
}

/** True for the first of an image: it and its sidecar are two files. Those of a folder come one after the other. */
function createImageCount(): (path: string) => boolean {
  let folder = '';
  let seen = new Set<string>();
  return (path) => {
    if (dirname(path) !== folder) [folder, seen] = [dirname(path), new Set()];
    const isFirst = !seen.has(path);
    seen.add(path);
    return isFirst;
  };
}
