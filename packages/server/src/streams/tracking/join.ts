import { type Box, boxArea } from '@lynceus/engine';
import { assign } from './assign.js';

interface Tracked {
  readonly id: number;
  readonly box: Box;
}

/** Share of a face or text that must be in the box of its object: boxes of detectors err. */
const minContained = 0.7;
/** The middle of a face is in this upper part of the box of its person: of somebody who sits at a desk, little more is seen. */
const headPart = 0.6;
/** Where the middle of a face is expected, as shares of the width and height of the box, and the cost of being elsewhere. */
const head = { x: 0.5, y: 0.12 } as const;
const maxCost = 2;

/** The face of each track, by the id of the track: each face is one person's, the likeliest by its place. */
export function joinFaces<Face extends { readonly box: Box }>(
  tracks: readonly Tracked[],
  faces: readonly Face[],
): Map<number, Face> {
  const pairs = assign(
    tracks.length,
    faces.length,
    (row, column) => {
      const [track, face] = [tracks[row], faces[column]];
      return track && face ? headCost(track.box, face.box) : maxCost;
    },
    maxCost,
  );
  const joined = new Map<number, Face>();
  for (const { row, column } of pairs) {
    const [track, face] = [tracks[row], faces[column]];
    if (track && face) joined.set(track.id, face);
  }
  return joined;
}

/** The track that each text is on: of those that contain it, the smallest; null where none does. */
export function joinTexts<Text extends { readonly box: Box }>(
  tracks: readonly Tracked[],
  texts: readonly Text[],
): { readonly text: Text; readonly trackId: number | null }[] {
  return texts.map((text) => {
    const [smallest] = tracks
      .filter(({ box }) => containedShare(text.box, box) >= minContained)
      .sort((a, b) => boxArea(a.box) - boxArea(b.box));
    return { text, trackId: smallest?.id ?? null };
  });
}

/** Share of a side of the image: what ends so near to the edge may go on beyond it. */
const edgePart = 0.015;

/** Whether a text is in the image with all its letters: of one that is cut by the edge, a part would be read. */
export function isWholeText(
  { box }: { readonly box: Box },
  image: { readonly width: number; readonly height: number },
): boolean {
  const [x, y] = [image.width * edgePart, image.height * edgePart];
  return box.xMin > x && box.yMin > y && box.xMax < image.width - x && box.yMax < image.height - y;
}

function headCost(body: Box, face: Box): number {
  const [width, height] = [body.xMax - body.xMin, body.yMax - body.yMin];
  if (!(width > 0 && height > 0) || containedShare(face, body) < minContained) return maxCost;
  const x = ((face.xMin + face.xMax) / 2 - body.xMin) / width;
  const y = ((face.yMin + face.yMax) / 2 - body.yMin) / height;
  return y > headPart ? maxCost : Math.abs(x - head.x) + Math.abs(y - head.y);
}

function containedShare(inner: Box, outer: Box): number {
  const area = boxArea(inner);
  if (!(area > 0)) return 0;
  const width = Math.min(inner.xMax, outer.xMax) - Math.max(inner.xMin, outer.xMin);
  const height = Math.min(inner.yMax, outer.yMax) - Math.max(inner.yMin, outer.yMin);
  return (Math.max(0, width) * Math.max(0, height)) / area;
}
