import { wilsonInterval } from '@lynceus/engine';
import { openModel } from '#engine/runtime/process/open-model.js';
import { allowedCharacters, favouringAccents } from '#engine/tasks/read-text/allowed-characters.js';
import { keepLines } from '#engine/tasks/read-text/keep-lines.js';
import { readStrip } from '#engine/tasks/read-text/recognise-regions.js';
import type { LoadedModel } from '#engine/tasks/task.js';
import { installedModel } from '../engine.js';
import { type FontSet, fontsOf } from '../letters/fonts.js';
import { formatTable, share } from '../table.js';
import { collectAll, hanOf, type KnownStrip } from './collect.js';
import { checkScriptFonts } from './scripts.js';

/** What is read of a line; empty where it is left out. */
interface Outcome {
  readonly line: KnownStrip;
  readonly before: string;
  readonly now: string;
}

/**
 * Lines in fonts that nothing was learnt from, as the engine reads them with and without the net of known scripts: which are
 * answered. `tune` is the half that the thresholds were chosen on.
 */
export async function reportKnownScripts(set: FontSet, lines: number): Promise<void> {
  await checkScriptFonts();
  const { model: detector, close } = await openModel(await installedModel('ppocr-v4-det'), 'cpu');
  const { model: recogniser, close: closeToo } = await openModel(await installedModel('ppocr-v4-rec'), 'cpu');
  const { alphabet = [] } = recogniser.manifest;
  const allowed = favouringAccents(allowedCharacters(alphabet, undefined), alphabet);
  const deps = { detector, set, fonts: await fontsOf(set), han: hanOf(alphabet), seed: 7 };
  const outcomes = new Map<string, Outcome[]>();
  for await (const line of collectAll(deps, lines)) {
    const outputs = await recogniser.run({
      image: line.tensor,
      allowed: { data: allowed, dims: [allowed.length] },
    });
    const { readable: _, ...others } = outputs;
    const answer = async (some: typeof outputs) => {
      const reader: LoadedModel = { ...recogniser, run: () => Promise.resolve(some) };
      return answered(await readStrip(reader, line.tensor, allowed), line.kind === 'Chinese');
    };
    const outcome = { line, before: await answer(others), now: await answer(outputs) };
    outcomes.set(line.kind, [...(outcomes.get(line.kind) ?? []), outcome]);
  }
  await Promise.all([close(), closeToo()]);
  print([...outcomes]);
}

/** The text of a line that would be returned. */
function answered({ text, score }: { text: string; score: number }, isChinese: boolean): string {
  const box = { xMin: 0, yMin: 0, xMax: 1, yMax: 1 };
  const corner = { x: 0, y: 0 };
  const line = { text, score, box, polygon: [corner, corner, corner, corner] } as const;
  // Other lines of the image vouch for the Chinese of this one.
  const sure = { ...line, text: '中文', score: 1 };
  return keepLines(isChinese ? [line, sure] : [line], 0.5).includes(line) ? text : '';
}

function print(outcomes: readonly (readonly [kind: string, outcomes: Outcome[]])[]): void {
  const isOther = ([, [first]]: (typeof outcomes)[number]) =>
    first?.line.segments.every((part) => !part.isReadable);
  const isRead = ([, [first]]: (typeof outcomes)[number]) =>
    first?.line.segments.every((part) => part.isReadable);
  const interval = (hits: number, count: number) => {
    const { low, high } = wilsonInterval(hits, count);
    return `${share(hits / Math.max(1, count))} (${share(low)} to ${share(high)})`;
  };
  const total = (some: typeof outcomes) => ['all', some.flatMap(([, all]) => all)] as const;
  const others = outcomes.filter(isOther);
  const rows = [['scripts that are not read', 'lines', 'answered without the net', 'left out']];
  for (const [kind, all] of [...others, total(others)]) {
    const [before, left] = [all.filter((one) => one.before !== ''), all.filter(({ now }) => now === '')];
    rows.push([
      kind,
      String(all.length),
      share(before.length / all.length),
      interval(left.length, all.length),
    ]);
  }
  console.log(`${formatTable(rows)}\n`);
  const read = outcomes.filter(isRead);
  const lost = [['what is read', 'lines', 'lost', 'changed']];
  for (const [kind, all] of [...read, total(read)]) {
    const known = all.filter(({ before }) => before !== '');
    const gone = known.filter(({ now }) => now === '');
    const changed = known.filter(({ now, before }) => now !== '' && now !== before);
    lost.push([
      kind,
      String(known.length),
      interval(gone.length, known.length),
      share(changed.length / known.length),
    ]);
  }
  console.log(`${formatTable(lost)}\n`);
  const mixed = outcomes.flatMap(([, all]) => all).filter(({ line }) => line.readable !== undefined);
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
  const wanted = ({ line }: Outcome) => plain(line.readable ?? '');
  const shown = mixed.filter((one) => plain(one.before).includes(wanted(one)));
  const kept = shown.filter((one) => plain(one.now).includes(wanted(one)));
  const only = mixed.filter((one) => plain(one.now).length <= wanted(one).length + 1);
  console.log(
    `mixed lines: ${mixed.length}; of ${shown.length} whose Latin part was read it is kept in ${interval(kept.length, shown.length)}; nothing of the other script in ${interval(only.length, mixed.length)}`,
  );
}
