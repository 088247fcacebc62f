import { expect, test } from 'vitest';
import type { GeneralResult } from '../../recognition/results.js';
import type { TrackState } from '../tracking/track-state.js';
import { peopleOf, toLook } from './to-look.js';

const box = { xMin: 10, yMin: 20, xMax: 110, yMax: 220 };
const eye = { x: 50, y: 50 };
const quality = {
  sizePx: 112,
  sharpness: 120,
  yawDeg: 0,
  pitchDeg: 0,
  rollDeg: 0,
  brightness: 128,
  problems: [],
};
const result: GeneralResult = {
  ...{ fileid: '1', width: 640, height: 480, mode: 'basic', classes: [], texts: [] },
  parts: new Set(['objects', 'faces'] as const),
  objects: [{ box, score: 0.8, label: { id: 'test:dog', title: 'dog' }, classes: [] }],
  faces: [{ box, score: 0.9, quality, points: [eye, eye, eye, eye, eye] }],
};

test('objects are followed, and faces are joined to them', () => {
  const { detections, faces } = toLook(result, 1000);
  expect(detections).toEqual(result.objects);
  expect(faces).toEqual([{ box, quality: 1, person: null }]);
});

test('where no objects were looked for, faces are followed', () => {
  const { detections } = toLook({ ...result, objects: [], parts: new Set(['faces'] as const) }, 1000);
  expect(detections).toEqual([{ box, score: 0.9, label: { title: 'face' } }]);
});

test('people are settled once each has a name, whatever a model calls its class', () => {
  const track = (title: string, name: string | null): TrackState => ({
    ...{ id: 1, label: { title }, score: 1, topScore: 1, box, velocity: { x: 0, y: 0 }, texts: [] },
    ...{ startedAtMs: 0, lastSeenAtMs: 0, isStationary: false, currentZones: [], enteredZones: [] },
    person: name === null ? null : { personId: 1, name, score: 1 },
  });
  expect(peopleOf([track('dog', null)])).toBe('none');
  expect(peopleOf([track('pedestrian', null), track('person', 'Ada')])).toBe('unsettled');
  expect(peopleOf([track('pedestrian', 'Ada'), track('dog', null)])).toBe('settled');
});
