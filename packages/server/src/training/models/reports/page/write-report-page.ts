import type { TrainingReport } from '../training-report.js';
import { writeClassifierSections } from './classifier-sections.js';
import { writeDetectorSections } from './detector-sections.js';
import { count, seconds } from './figures.js';
import { Markup, markup } from './markup.js';
import type { ReportImage } from './mistake-images.js';
import { writeSentences } from './tables.js';

/** Of the page; it holds no text of anybody's. */
const reportStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { max-width: 46rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 1rem; }
dt { opacity: .75; }
dd { font-size: 1.6rem; margin: 0; }
dd.note, figcaption, .legend, .facts { font-size: .85rem; opacity: .8; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid rgb(128 128 128 / .3); }
th:first-child { text-align: left; }
.confusion thead span { writing-mode: vertical-rl; }
.confusion td { min-width: 1.6rem; text-align: center; }
svg { max-width: 22rem; width: 100%; font-size: 11px; fill: currentColor; }
svg path, svg polyline { fill: none; stroke: #0072b2; stroke-width: 2; }
svg circle { fill: #0072b2; }
svg .grid path { stroke: rgb(128 128 128 / .3); stroke-width: 1; }
svg .ideal { stroke: rgb(128 128 128 / .8); stroke-width: 1; stroke-dasharray: 4; }
.images { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1.2rem; align-items: end; }
figure { margin: 0; }
figcaption span { display: block; overflow-wrap: anywhere; }
.frame { position: relative; }
.frame img { display: block; width: 100%; }
.frame i { position: absolute; box-sizing: border-box; }
i.expected, i.found { border: 3px solid #2e9e5b; }
i.found { border-color: #d5452f; }
.legend i { display: inline-block; width: .8rem; height: .8rem; box-sizing: border-box; margin-left: .8rem; }
.gone { border: 1px dashed; padding: 1rem; opacity: .7; }
`;

/** What the page says of where the report is from. */
interface ReportFacts {
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
