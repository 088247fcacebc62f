import type { GeneralResult } from '../../recognition/results.js';
import type { Look, TrackState } from '../tracking/track-state.js';
import { faceWeight } from './face-quality.js';
import type { OpenQuestions } from './frame-plan.js';
import { isPerson } from './observe-stream.js';

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

/** What is still to be found out of the people that are followed. */
export function peopleOf(tracks: readonly TrackState[]): OpenQuestions['people'] {
  const people = tracks.filter(({ label }) => isPerson(label.title));
  if (people.length === 0) return 'none';
  return people.every(({ person }) => person !== null) ? 'settled' : 'unsettled';
}
