import type { RecognitionPart } from '../../recognition/parts.js';
import type { StreamSettings } from '../stream-settings.js';

/** What the frames before left to find out. */
export interface OpenQuestions {
  /** Whether people are followed, and whether the name of one of them is not settled. */
  readonly people: 'none' | 'settled' | 'unsettled';
  /** Whether an object was seen better than ever before in the last frame. */
  readonly isBest: boolean;
}

/** Decides what is looked for in a frame. */
interface FramePlan {
  /**
   * What is due; nothing where a frame need not be analysed.
   * @param atMs by a clock that does not go back
   */
  choose(atMs: number, questions: OpenQuestions): ReadonlySet<RecognitionPart>;
  /** These parts of a frame are analysed. */
  begin(atMs: number, parts: ReadonlySet<RecognitionPart>): void;
  /** Both, for a frame that is analysed in any case. */
  next(atMs: number, questions: OpenQuestions): ReadonlySet<RecognitionPart>;
}

/** Least times between two frames of which a part is looked for. */
const leastMs = {
  unsettledFaces: 500,
  /** Somebody may have been taken for another. */
  settledFaces: 3000,
  texts: 1000,
  /** Of an object that was seen well. */
  bestTexts: 300,
  classes: 1000,
} as const;

/**
 * Objects in each frame; faces while people are followed, for names may depend on them; texts and classes now and then. Where no
 * objects are asked for, faces are looked for by themselves.
 */
export function createFramePlan({
  parts,
  namesPeople,
}: Pick<StreamSettings, 'parts' | 'namesPeople'>): FramePlan {
  const asked = new Set(parts);
  const wantsObjects = asked.has('objects') || namesPeople;
  const wantsFaces = asked.has('faces') || namesPeople;
  const last: Record<'faces' | 'texts' | 'classes', number> = {
    faces: Number.NEGATIVE_INFINITY,
    texts: Number.NEGATIVE_INFINITY,
    classes: Number.NEGATIVE_INFINITY,
  };
  const intervalOf = (part: keyof typeof last, { people, isBest }: OpenQuestions): number | null => {
    if (part === 'classes') return leastMs.classes;
    if (part === 'texts') return isBest ? leastMs.bestTexts : leastMs.texts;
    if (!wantsObjects || people === 'unsettled') return leastMs.unsettledFaces;
    return people === 'settled' ? leastMs.settledFaces : null;
  };

  const choose: FramePlan['choose'] = (atMs, questions) => {
    const chosen = new Set<RecognitionPart>(wantsObjects ? ['objects'] : []);
    for (const part of ['faces', 'texts', 'classes'] as const) {
      if (!(part === 'faces' ? wantsFaces : asked.has(part))) continue;
      const intervalMs = intervalOf(part, questions);
      if (intervalMs === null || atMs - last[part] < intervalMs) continue;
      chosen.add(part);
    }
    return chosen;
  };
  const begin: FramePlan['begin'] = (atMs, parts) => {
    for (const part of ['faces', 'texts', 'classes'] as const) if (parts.has(part)) last[part] = atMs;
  };
  return {
    choose,
    begin,
    next(atMs, questions) {
      const parts = choose(atMs, questions);
      begin(atMs, parts);
      return parts;
    },
  };
}
