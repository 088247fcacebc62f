import { type Box, boxArea } from '@lynceus/engine';

/** What a track needs until it raises events. */
export interface ClassFilter {
  /** Least median of its last scores, 0 to 1. */
  readonly minScore?: number;
  /** Least and greatest area of its box, as a fraction of the image. */
  readonly minArea?: number;
  readonly maxArea?: number;
}

export interface ObjectFilters {
  /** Titles of the classes that raise events; all without. */
  readonly classes?: readonly string[];
  /** By the title of the class; each value replaces that of `all`. */
  readonly byClass?: Readonly<Record<string, ClassFilter>>;
  readonly all?: ClassFilter;
}

/** Whether a track passes. It is judged by the class that its votes give, so that a class that flips takes no detections away. */
export function passesFilters(
  track: { readonly label: { readonly title: string }; readonly score: number; readonly box: Box },
  frame: { readonly width: number; readonly height: number },
  { classes, byClass, all }: ObjectFilters,
): boolean {
  const { title } = track.label;
  if (classes !== undefined && !classes.includes(title)) return false;
  const own = byClass !== undefined && Object.hasOwn(byClass, title) ? byClass[title] : undefined;
  const { minScore = 0, minArea = 0, maxArea = 1 } = { ...all, ...own };
  const area = boxArea(track.box) / Math.max(1, frame.width * frame.height);
  return track.score >= minScore && area >= minArea && area <= maxArea;
}
