import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { FileRow } from '../files/file-rows.js';
import type { Findings } from '../keywords/choose-keywords.js';

const Box = Type.Object({
  xMin: Type.Number(),
  yMin: Type.Number(),
  xMax: Type.Number(),
  yMax: Type.Number(),
});
const Titled = { title: Type.String(), score: Type.Number() };

/** What was found in a file, as it is stored and sent: scores 0 to 1, boxes in pixels of the image as it is meant to be seen. */
export const Labels = Type.Object({
  objects: Type.Array(Type.Object({ ...Titled, box: Box })),
  classes: Type.Array(Type.Object(Titled)),
  texts: Type.Array(Type.Object({ text: Type.String(), score: Type.Number() })),
  faces: Type.Array(
    Type.Object({
      score: Type.Number(),
      box: Box,
      person: Type.Union([Type.Object({ name: Type.String(), similarity: Type.Number() }), Type.Null()]),
    }),
  ),
});
export type Labels = Static<typeof Labels>;

const noLabels: Labels = { objects: [], classes: [], texts: [], faces: [] };

export function labelsOf({ labels }: Pick<FileRow, 'labels'>): Labels {
  return labels === null ? noLabels : Value.Parse(Labels, JSON.parse(labels));
}

export function toFindings({ objects, classes, texts, faces }: Labels): Findings {
  const titled = ({ title, score }: { readonly title: string; readonly score: number }) => ({
    label: { title },
    score,
  });
  return { objects: objects.map(titled), classes: classes.map(titled), texts, faces };
}

/** By which a path is made: the surest object, else the surest class. */
export function firstLabel({ objects, classes }: Labels): string | null {
  return objects[0]?.title ?? classes[0]?.title ?? null;
}
