import { type Box, boxIou } from '@lynceus/engine';

/** Overlap from which a detected face is the stored one. */
const minSameIou = 0.3;

/** The face that overlaps a box most; null where none does enough to be the same. */
export function faceAt<Face extends { readonly box: Box }>(faces: readonly Face[], box: Box): Face | null {
  const overlaps = faces.map((face) => ({ face, iou: boxIou(face.box, box) }));
  const [best] = overlaps.sort((a, b) => b.iou - a.iou);
  return best === undefined || best.iou < minSameIou ? null : best.face;
}
