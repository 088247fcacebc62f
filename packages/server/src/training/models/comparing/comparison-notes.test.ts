import { expect, test } from 'vitest';
import { classifierReport, detectorReport } from '../reports/fixtures/reports.js';
import { notesOn } from './comparison-notes.js';

const { lastFit: _, ...before } = classifierReport;

test('a version that was trained on the held-out images is noted', () => {
  expect(notesOn(3, { ...classifierReport, datasetId: 1001 }, 1001).join()).toContain(
    'version 3 was trained on the held-out',
  );
  expect(notesOn(4, { ...detectorReport, datasetId: 1001 }, 1001).join()).toContain(
    'version 4 was trained on the held-out',
  );
});

test('a version of before the last fit, one without held-out images and an uploaded one are not', () => {
  expect(notesOn(3, { ...before, datasetId: 1001 }, 1001)).toEqual([]);
  const whole = { ...classifierReport, lastFit: { images: 24 }, datasetId: 1001 };
  expect(notesOn(3, whole, 1001)).toEqual([]);
  expect(notesOn(3, null, 1001)).toEqual([]);
});

test('a version that was trained on another dataset is noted with it', () => {
  expect(notesOn(3, { ...before, datasetId: 1002 }, 1001).join()).toContain('dataset 1002');
});
