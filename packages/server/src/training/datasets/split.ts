import { sortWithPauses } from '../../core/sort-with-pauses.js';
import type { Split } from './dataset.js';

/** An image as far as its split depends on it. */
export interface SplitImage {
  /** Of its bytes: the order in which images are drawn. */
  readonly sha256: string;
  /** Null: to be assigned. */
  readonly split: Split | null;
  /** Names or numbers of what it shows; none is a class of its own. */
  readonly classes: readonly (string | number)[];
  /** Images of one group stay together. */
  readonly group: number;
}

interface Group {
  readonly images: readonly number[];
  readonly order: string;
  readonly classes: ReadonlySet<string | number>;
  split: Split | null;
}

const nothingShown = 'nothing';

/**
 * Splits the images that have no split yet, so that of each class about the same share is held out; those of a group go
 * to one side, to that of a member which has one. The rarest class is served first (Sechidis et al., 2011, reduced to
 * two sides). The same images are always split the same way.
 * @param share held out of each class, 0 to 1; of a class with two images or more at least one, of none all
 * @param pause called after each step, so that other work goes on
 */
export async function assignSplits(
  images: readonly SplitImage[],
  share: number,
  pause: () => Promise<void> | undefined,
): Promise<readonly Split[]> {
  const groups = await gather(images, pause);
  const byClass = new Map<string | number, Group[]>();
  for (const group of groups) {
    for (const name of group.classes) {
      const own = byClass.get(name);
      if (own) own.push(group);
      else byClass.set(name, [group]);
    }
    await pause();
  }
  const rarestFirst = [...byClass].sort(
    ([a, ownA], [b, ownB]) => ownA.length - ownB.length || (String(a) < String(b) ? -1 : 1),
  );
  for (const [, own] of rarestFirst) {
    let [total, held] = [0, 0];
    for (const { images: all, split } of own) {
      total += all.length;
      if (split === 'held-out') held += all.length;
      await pause();
    }
    const wanted = total < 2 ? 0 : Math.min(total - 1, Math.max(1, Math.round(share * total)));
    for (const group of own) {
      if (group.split !== null) continue;
      const size = group.images.length;
      const isHeld = held + size <= wanted && share > 0;
      group.split = isHeld ? 'held-out' : 'train';
      if (isHeld) held += size;
      await pause();
    }
  }
  const splits = new Array<Split>(images.length).fill('train');
  for (const { images: indexes, split } of groups) {
    for (const index of indexes) splits[index] = images[index]?.split ?? split ?? 'train';
    await pause();
  }
  return splits;
}

/** In the order of their least hash, which has nothing to do with what they show. */
async function gather(
  images: readonly SplitImage[],
  pause: () => Promise<void> | undefined,
): Promise<readonly Group[]> {
  const members = new Map<number, number[]>();
  for (const [index, { group }] of images.entries()) {
    const list = members.get(group);
    if (list) list.push(index);
    else members.set(group, [index]);
    await pause();
  }
  const groups: Group[] = [];
  for (const indexes of members.values()) {
    const classes = new Set<string | number>();
    let order = '';
    let split: Split | null = null;
    for (const index of indexes) {
      const image = images[index];
      if (!image) continue;
      if (order === '' || image.sha256 < order) order = image.sha256;
      for (const name of image.classes) classes.add(name);
      if (image.split !== null && split !== 'train') split = image.split;
      await pause();
    }
    if (classes.size === 0) classes.add(nothingShown);
    groups.push({ images: indexes, order, classes, split });
    await pause();
  }
  return sortWithPauses(groups, (a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0), pause);
}
