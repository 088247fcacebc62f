import type { GeneralResult } from '../../recognition/results.js';
import { faceWeight } from '../../streams/running/face-quality.js';
import type { Look } from '../../streams/tracking/track-events.js';

/** What was found in a frame, as tracks are made of it. */
export function toLook({ width, height, objects, faces, texts }: GeneralResult, atMs: number): Look {
  return {
    ...{ atMs, width, height },
    detections: objects.map(({ box, score, label }) => ({ box, score, label })),
    faces: faces.map(({ box, quality, person = null }) => ({
      box,
      quality: faceWeight(quality),
      person: person && {
        personId: person.personId,
        name: person.name,
        similarity: person.similarity,
      },
    })),
    texts: texts.map(({ box, text, score }) => ({ box, text, score })),
  };
}
