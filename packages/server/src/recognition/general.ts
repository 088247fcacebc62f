import type { Analysis } from '@lynceus/engine';
import type { NameFaces } from './name-faces.js';
import type { RecognitionMode, RecognitionParts } from './parts.js';
import type { GeneralResult, SeenFace } from './results.js';

/** Dense needs objects to look at and classes to name. */
export function modeOf(wanted: RecognitionMode, parts: RecognitionParts): RecognitionMode {
  return wanted === 'dense' && parts.has('objects') && parts.has('classes') ? 'dense' : 'basic';
}

/** What the tasks of general recognition found; what did not run is empty. */
export function generalFindings({
  results,
}: Analysis): Pick<GeneralResult, 'classes' | 'objects' | 'texts' | 'faces'> {
  const segments = new Map(results.segment?.segments.map((s) => [s.detection, s.classes]));
  return {
    classes: results.classify?.classes ?? [],
    objects: (results.detect?.detections ?? []).map((found, index) => ({
      ...found,
      classes: segments.get(index) ?? [],
    })),
    texts: results.readText?.lines ?? [],
    // Named one by one: an embedding, which would make a face known again, is never kept.
    faces: (results.faces?.faces ?? []).map(
      ({ box, score, points, quality }): SeenFace => ({ box, score, points, quality }),
    ),
  };
}

/** The faces of `generalFindings` with the people they were taken for. */
export async function nameFindings(
  { results }: Analysis,
  faces: readonly SeenFace[],
  nameFaces: NameFaces,
): Promise<readonly SeenFace[]> {
  const embedded = (results.faces?.faces ?? []).flatMap(({ embedding, quality }, index) =>
    embedding === undefined ? [] : [{ index, embedding, quality }],
  );
  const names = await nameFaces(embedded);
  const people = new Map(embedded.map(({ index }, named) => [index, names[named] ?? null]));
  // A face without an embedding is a stranger.
  return faces.map((face, index) => ({ ...face, person: people.get(index) ?? null }));
}
