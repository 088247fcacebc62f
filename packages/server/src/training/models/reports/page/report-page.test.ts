import { ClassifierReport, DetectorReport } from '@lynceus/engine';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { classifierReport, detectorReport } from '../fixtures/reports.js';
import type { TrainingReport } from '../training-report.js';
import { markup } from './markup.js';
import { writeReportPage } from './write-report-page.js';

const facts = { model: 'Animals', version: 3, dataset: 'zoo', createdAt: Date.UTC(2026, 0, 31, 12) };
const image = { fileName: 'a.jpg', width: 640, height: 480, jpeg: Uint8Array.of(0xff, 0xd8, 0xff) };
const page = (report: TrainingReport, names = facts) =>
  writeReportPage(report, names, new Map([['7', image]]));

describe('the page of a training', () => {
  test('of a classifier tells accuracy, confusions, calibration, advice and the worst mistakes as images', () => {
    const report = { ...classifierReport, datasetId: 1001 };
    expect(Value.Check(ClassifierReport, report)).toBe(true);
    const html = page(report);
    for (const part of ['Animals, version 3', 'dataset zoo', '90.0 %', '95 % interval 74.0 % to 97.0 %'])
      expect(html).toContain(part);
    expect(html).toContain('trained on all 44 images');
    expect(html).toContain('96.0 %');
    expect(html).toContain('add images of cats');
    expect(html).toMatch(/<th scope="row">cat<\/th><td[^>]*>8<\/td><td[^>]*>2<\/td>/);
    expect(html).toMatch(/<svg[^>]*aria-label="Calibration[\s\S]*<circle/);
    expect(html).toContain('<img src="data:image/jpeg;base64,/9j/" alt="a.jpg">');
    expect(html).toContain('answered dog');
    expect(html).toContain('image 8 is there no longer');
  });

  test('of a detector tells average precision and shows where boxes are and should be', () => {
    const report = { ...detectorReport, datasetId: 1001 };
    expect(Value.Check(DetectorReport, report)).toBe(true);
    const html = page(report);
    for (const part of ['bolt was missed', 'score 0.77']) expect(html).toContain(part);
    expect(html).toContain('86.0 %');
    expect(html).toContain(
      '<i class="expected" style="left: 10.00%; top: 10.00%; width: 50.00%; height: 50.00%"></i>',
    );
    expect(html).toContain('trained on all 40 images');
    expect(html).toContain('give it some without any');
  });

  test('of a thousand classes lists what was taken for what, and no table of a million cells', () => {
    const count = 1000;
    const labels = Array.from({ length: count }, (_, index) => ({
      id: `l${index}`,
      title: `label ${index}`,
    }));
    const confusion = labels.map((_, row) => labels.map((_label, column) => Number(row === column) * 5));
    const [first] = confusion;
    if (first) first[1] = 4;
    const { figures } = classifierReport;
    const classes = labels.map((_, label) => ({
      label,
      trained: 5,
      measured: 5,
      precision: null,
      recall: 0.8,
    }));
    const report = { ...classifierReport, labels, figures: { ...figures, classes, confusion }, mistakes: [] };
    const html = page({ ...report, datasetId: 1001 });
    expect(html.length).toBeLessThan(400_000);
    expect(html).toContain('<th scope="row">label 0</th><td>label 1</td><td>4</td>');
  });

  test('needs nothing beside itself: no script, and no address to fetch', () => {
    const html = page({ ...classifierReport, datasetId: 1001 });
    expect(html).not.toMatch(/<script|javascript:|<link|@import|url\(|\ssrc="(?!data:)|\shref=|\son[a-z]+=/i);
  });
});

describe('hostile names', () => {
  const hostile = "\"><script>alert(1)</script><img src=x onerror='alert(2)'>&";

  test('of classes, models and files stay text', () => {
    const labels = [{ id: 'a', title: hostile }, ...classifierReport.labels.slice(1)];
    const report = { ...classifierReport, datasetId: 1001, labels, advice: [hostile], warnings: [hostile] };
    const names = { ...facts, model: hostile, dataset: hostile };
    const html = writeReportPage(report, names, new Map([['7', { ...image, fileName: hostile }]]));
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img src=x');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const boxed = { ...detectorReport, datasetId: 1001 };
    const mistakes = boxed.mistakes.map((mistake) => ({ ...mistake, label: hostile, image: hostile }));
    expect(page({ ...boxed, mistakes })).not.toMatch(/<script|<img src=x/);
  });

  test('whatever is put in, nothing of it is markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { html } = markup`<p title="${text}">${text}</p>`;
        expect(html.match(/[<>"']/g)?.join('')).toBe('<""><>');
        expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });
});
