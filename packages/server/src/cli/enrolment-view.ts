import { type ImageVerdict, isThere, type Verdict, verdicts } from '../faces/bulk/verdict.js';
import type { CommandContext } from './context.js';
import { createImageProgress } from './image-progress.js';
import type { Terminal } from './install-progress.js';
import { toPrintable } from './printable.js';
import { formatTable } from './table.js';

/** Shows an import of images: a line each, and below them, on a terminal, a bar. */
export type EnrolmentView = ReturnType<typeof createEnrolmentView>;

const words: Readonly<Record<Verdict, string>> = {
  added: 'added',
  'added-with-advice': 'added, but',
  'there-already': 'there already',
  'under-another-name': 'there already, under another name',
  refused: 'refused',
  'no-face': 'no face found',
  'not-an-image': 'not an image',
  'too-large': 'too large',
  'not-read': 'not read',
  failed: 'failed',
};

export function createEnrolmentView(
  context: Pick<CommandContext, 'print'>,
  terminal: Terminal,
  images: number,
  now: () => number = Date.now,
) {
  const { clear, draw } = createImageProgress(terminal, images, now);
  const counts = new Map<Verdict, number>();
  let [done, missing] = [0, 0];
  return {
    show(verdict: ImageVerdict) {
      done += 1;
      if (!isThere(verdict.verdict)) missing += 1;
      counts.set(verdict.verdict, (counts.get(verdict.verdict) ?? 0) + 1);
      clear();
      context.print(lineOf(verdict));
      draw(done);
    },
    /** Takes the bar away and prints how many images had which verdict. */
    close() {
      clear();
      const rows = verdicts.flatMap((verdict) => {
        const count = counts.get(verdict);
        return count === undefined ? [] : [[words[verdict], String(count)]];
      });
      if (rows.length > 0) context.print(`\n${formatTable(['VERDICT', 'IMAGES'], rows)}`);
    },
    /** Verdicts shown so far. */
    get done(): number {
      return done;
    },
    /** Of these, images that are not images of their person now. */
    get missing(): number {
      return missing;
    },
  };
}

function lineOf({ path, verdict, advice }: ImageVerdict): string {
  const text = `${path}: ${words[verdict]}${advice === null ? '' : `: ${advice}`}`;
  return toPrintable(text);
}
