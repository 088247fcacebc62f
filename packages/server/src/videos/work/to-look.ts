import type { GeneralResult } from '../../recognition/results.js';
import { faceWeight } from '../../streams/running/face-quality.js';
import type { Look } from '../../streams/tracking/track-state.js';

/** What was found in a frame, as tracks are made of it. Where no objects were looked for, faces are followed. */
export function toLook({ width, height, objects, faces, texts, parts }: GeneralResult, atMs: number): Look {
  return {
    ...{ atMs, width, height },
    detections: parts.has('objects')
      ? objects
      : faces.map(({ box, score }) => ({ box, score, label: { title: 'face' } })),
    faces: faces.map(({ box, quality, person = null }) => ({
      box,
      quality: faceWeight(quality),
      person,
    })),
    texts,
  };
}
