import type { TrainingReport } from '../training-report.js';
import { writeClassifierSections } from './classifier-sections.js';
import { writeDetectorSections } from './detector-sections.js';
import { count, seconds } from './figures.js';
import { Markup, markup } from './markup.js';
import type { ReportImage } from './mistake-images.js';
import { reportStyle } from './style.js';
import { writeSentences } from './tables.js';

/** What the page says of where the report is from. */
export interface ReportFacts {
  readonly model: string;
  readonly version: number;
  /** Null where it was deleted. */
  readonly dataset: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Mistakes that the page shows. */
export const maxShownMistakes = 24;
const maxRefused = 50;

/**
 * A page for people that needs nothing beside itself: no script, no address, images within.
 * @param images those of `imagesShown`, by id, as far as they are there
 */
export function writeReportPage(
  report: TrainingReport,
  facts: ReportFacts,
  images: ReadonlyMap<string, ReportImage>,
): string {
  const title = `${facts.model}, version ${facts.version}`;
  const sections =
    report.kind === 'classification'
      ? writeClassifierSections(report, images, maxShownMistakes)
      : writeDetectorSections(report, images, maxShownMistakes);
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${new Markup(reportStyle)}</style></head>
<body><h1>${title}</h1>
<p class="facts">Trained on ${facts.dataset === null ? 'a dataset that was deleted' : `dataset ${facts.dataset}`},
${new Date(facts.createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC, in ${seconds(timeOf(report))}.</p>
${sections}
${writeRefused(report)}
</body></html>
`.html;
}

function timeOf(report: TrainingReport): number {
  if (report.kind === 'object_detection') return 1000 * report.seconds;
  return Object.values(report.timesMs).reduce((sum, ms) => sum + ms, 0);
}

function writeRefused(report: TrainingReport): Markup {
  const refused = report.kind === 'classification' ? report.images.refused : report.refused;
  const sentences = refused.slice(0, maxRefused).map(({ id, reason }) => `image ${id}: ${reason}`);
  const rest = refused.length - sentences.length;
  return writeSentences(
    'Images that were left out',
    rest > 0 ? [...sentences, `and ${count(rest, 'other')}`] : sentences,
  );
}
