/** Titles of classes that a detector takes for one another, each in one group at most. */
export type ClassGroups = readonly (readonly string[])[];

/** Whether one object can be taken for both classes. */
export type AreSimilar = (a: string, b: string) => boolean;

/**
 * The classes of COCO, those together that look alike. People are alone: riders, drivers and owners overlap with what they ride, drive
 * and lead.
 */
export const cocoClassGroups: ClassGroups = [
  ['person'],
  ['car', 'truck', 'bus', 'train', 'boat', 'airplane'],
  ['bicycle', 'motorcycle'],
  ['cat', 'dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe', 'bird', 'teddy bear'],
  ['traffic light', 'fire hydrant', 'stop sign', 'parking meter'],
  ['backpack', 'handbag', 'suitcase', 'umbrella'],
  ['tie'],
  ['frisbee', 'sports ball', 'kite'],
  ['skis', 'snowboard', 'skateboard', 'surfboard'],
  ['baseball bat', 'baseball glove', 'tennis racket'],
  ['bottle', 'wine glass', 'cup', 'vase'],
  ['bowl'],
  ['fork', 'knife', 'spoon', 'scissors', 'toothbrush'],
  ['banana', 'apple', 'sandwich', 'orange', 'broccoli', 'carrot', 'hot dog', 'pizza', 'donut', 'cake'],
  ['bench', 'chair', 'couch', 'bed', 'toilet'],
  ['dining table'],
  ['potted plant'],
  ['tv', 'laptop', 'microwave', 'oven', 'toaster', 'refrigerator'],
  ['cell phone', 'remote', 'mouse', 'keyboard', 'book'],
  ['sink'],
  ['clock'],
  ['hair drier'],
];

/** Classes whose objects are never taken for another: the name of a person must not pass to what is seen in their place. */
const neverMistaken: ReadonlySet<string> = new Set(['person']);

/** Whether a detector may take one object, in one place, for both classes, whatever their groups. */
export function areMistakable(a: string, b: string): boolean {
  return a === b || !(neverMistaken.has(a) || neverMistaken.has(b));
}

/**
 * Classes are similar where they are the same or in one group. Those in no group are similar to each other: nothing is known of
 * classes that customers trained.
 */
export function similarWithin(groups: ClassGroups): AreSimilar {
  const groupOf = new Map(groups.flatMap((titles, index) => titles.map((title) => [title, index] as const)));
  return (a, b) => a === b || groupOf.get(a) === groupOf.get(b);
}
