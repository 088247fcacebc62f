import { relative } from 'node:path';
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
  /** Takes the bar away and prints how many images had which outcome. */
  close(): void;
  readonly failed: number;
}

export interface TagViewOptions {
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
  'done-before': 'done before',
  'undone-before': 'undone before',
  unsettled: 'not complete yet',
  undone: 'undone',
  changed: 'changed since',
  gone: 'gone',
  failed: 'failed',
};
/** Of these there may be a hundred thousand, and nothing was done with them. */
const silent: ReadonlySet<string> = new Set(['done-before', 'undone-before', 'unsettled', 'gone']);

export function createTagView(options: TagViewOptions): TagView {
  const { context, terminal, root, files, isJson, isTrial } = options;
  const progress = files === null ? null : createImageProgress(terminal, files);
  const counts = new Map<string, number>();
  let [done, failed] = [0, 0];
  const show = (outcome: TagVerdict['outcome'] | UndoVerdict['outcome'], line: () => string) => {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome === 'failed' || outcome === 'changed') failed += 1;
    if (silent.has(outcome)) return;
    progress?.clear();
    context.print(line());
    progress?.draw(done);
  };
  const nameOf = (path: string) => relative(root, path) || '.';
  const asLine = (path: string, words: string) => toPrintable(`${nameOf(path)}: ${words}`);
  return {
    showTagged({ path, outcome, added, sidecar, reason }) {
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
    close() {
      progress?.clear();
      if (isJson) return;
      const rows = Object.entries(rowNames).flatMap(([outcome, name]) => {
        const count = counts.get(outcome);
        return count === undefined ? [] : [[name, String(count)]];
      });
      if (rows.length === 0) context.print('no images');
      else context.print(`\n${formatTable([isTrial ? 'WOULD BE' : 'OUTCOME', 'IMAGES'], rows)}`);
    },
    get failed() {
      return failed;
    },
  };
}
