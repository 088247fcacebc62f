import type { Kind } from './kind.js';

/** What was answered so far. */
export interface Tally {
  note(kind: Kind, outcome: string, tookMs: number, segment: Segment): void;
  readonly answered: number;
  /** Good calls that were answered, by the key they count on. */
  readonly counted: { readonly key: number; readonly fickle: number };
  /** Calls with the fickle key, answered or not. */
  readonly fickleSent: number;
  /** How often each kind was answered what, those first that no document allows. */
  rows(): readonly TallyRow[];
  /** Milliseconds of a kind's good answers with and without slow clients beside it. */
  timesOf(kind: Kind, segment: Segment): readonly number[];
}

export type Segment = 'alone' | 'with slow clients';

export interface TallyRow {
  readonly kind: Kind;
  readonly outcome: string;
  readonly times: number;
  readonly isDocumented: boolean;
}

export function createTally(): Tally {
  const answers = new Map<Kind, Map<string, number>>();
  const timesMs = new Map<Kind, Record<Segment, number[]>>();
  const counted = { key: 0, fickle: 0 };
  let answered = 0;
  let fickleSent = 0;
  return {
    note(kind, outcome, tookMs, segment) {
      answered += 1;
      const ofKind = answers.get(kind) ?? new Map<string, number>();
      answers.set(kind, ofKind.set(outcome, (ofKind.get(outcome) ?? 0) + 1));
      const isGood = outcome === kind.answers[0];
      if (kind.counts === 'fickle') fickleSent += 1;
      if (kind.counts && /^200\b/.test(outcome)) counted[kind.counts] += 1;
      if (!kind.isTimed || !isGood) return;
      const times = timesMs.get(kind) ?? { alone: [], 'with slow clients': [] };
      timesMs.set(kind, times);
      times[segment].push(tookMs);
    },
    get answered() {
      return answered;
    },
    counted,
    get fickleSent() {
      return fickleSent;
    },
    rows: () =>
      [...answers]
        .flatMap(([kind, ofKind]) =>
          [...ofKind].map(([outcome, times]) => ({
            kind,
            outcome,
            times,
            isDocumented: kind.answers.includes(outcome),
          })),
        )
        .sort((a, b) => Number(a.isDocumented) - Number(b.isDocumented) || b.times - a.times),
    timesOf: (kind, segment) => timesMs.get(kind)?.[segment] ?? [],
  };
}
