import type { Split } from './dataset.js';

/** A picture as far as its split depends on it. */
export interface SplitPicture {
  /** Of its bytes: the order in which pictures are drawn. */
  readonly sha256: string;
  /** Null: to be assigned. */
  readonly split: Split | null;
  /** Names or numbers of what it shows; none is a class of its own. */
  readonly classes: readonly (string | number)[];
  /** Pictures of one group stay together. */
  readonly group: number;
}

interface Group {
  readonly pictures: readonly number[];
  readonly order: string;
  readonly classes: ReadonlySet<string | number>;
  split: Split | null;
}

const nothingShown = 'nothing';

/**
 * Splits the pictures that have no split yet, so that of each class about the same share is held out; those of a group go
 * to one side, to that of a member which has one. The rarest class is served first (Sechidis et al., 2011, reduced to
 * two sides). The same pictures are always split the same way.
 * @param share held out of each class, 0 to 1; of a class with two pictures or more at least one, of none all
 */
export function assignSplits(pictures: readonly SplitPicture[], share: number): readonly Split[] {
  const groups = gather(pictures);
  const byClass = new Map<string | number, Group[]>();
  for (const group of groups) {
    for (const name of group.classes) {
      const own = byClass.get(name);
      if (own) own.push(group);
      else byClass.set(name, [group]);
    }
  }
  const rarestFirst = [...byClass].sort(
    ([a, ownA], [b, ownB]) => ownA.length - ownB.length || (String(a) < String(b) ? -1 : 1),
  );
  for (const [, own] of rarestFirst) {
    const count = (list: readonly Group[]) => list.reduce((sum, { pictures: all }) => sum + all.length, 0);
    const total = count(own);
    const wanted = total < 2 ? 0 : Math.min(total - 1, Math.max(1, Math.round(share * total)));
    let held = count(own.filter(({ split }) => split === 'held-out'));
    for (const group of own.filter(({ split }) => split === null)) {
      const size = group.pictures.length;
      const isHeld = held + size <= wanted && share > 0;
      group.split = isHeld ? 'held-out' : 'train';
      if (isHeld) held += size;
    }
  }
  const splits: Split[] = pictures.map(({ split }) => split ?? 'train');
  for (const { pictures: indexes, split } of groups) {
    for (const index of indexes) splits[index] = pictures[index]?.split ?? split ?? 'train';
  }
  return splits;
}

/** In the order of their least hash, which has nothing to do with what they show. */
function gather(pictures: readonly SplitPicture[]): readonly Group[] {
  const members = new Map<number, number[]>();
  pictures.forEach(({ group }, index) => {
    const list = members.get(group);
    if (list) list.push(index);
    else members.set(group, [index]);
  });
  const groups = [...members.values()].map((indexes): Group => {
    const own = indexes.flatMap((index) => pictures[index] ?? []);
    const given = own.map(({ split }) => split);
    const shown = own.flatMap(({ classes }) => classes);
    return {
      pictures: indexes,
      order: own.map(({ sha256 }) => sha256).sort()[0] ?? '',
      classes: new Set(shown.length > 0 ? shown : [nothingShown]),
      split: given.includes('train') ? 'train' : given.includes('held-out') ? 'held-out' : null,
    };
  });
  return groups.sort((a, b) => (a.order < b.order ? -1 : 1));
}
