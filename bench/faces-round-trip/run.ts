import { formatTable } from '../table.js';
import { brokenGuarantees } from './broken-guarantees.js';
import { carryPerception, type TripFigures } from './round-trip.js';
import { readSubjects } from './subjects.js';

/**
 * Enrols, exports, deletes and imports a perception, and compares searches before and after; throws when anything
 * differs.
 */
export async function runRoundTrip(asked: {
  readonly data: string;
  readonly images: number;
  readonly searches: number;
}): Promise<void> {
  const { data, images, searches } = asked;
  if (![images, searches].every((count) => Number.isInteger(count) && count > 0)) {
    throw new Error('--images and --searches must be whole numbers above 0');
  }
  const subjects = await readSubjects(data);
  const figures = await carryPerception({ subjects, images, searches, log: (line) => console.log(line) });
  reportFigures(figures);
  const broken = brokenGuarantees(figures);
  if (broken.length > 0) throw new Error(`not as it should be:\n${broken.slice(0, 10).join('\n')}`);
}

function reportFigures(figures: TripFigures): void {
  const { held, left, arrived, exported, imported, memory, readable } = figures;
  const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  const rows = [
    ['', 'people', 'images', 'vectors', 'corrections', 'files', 'MB of them', 'MB of the database'],
  ];
  for (const [title, has] of [
    ['enrolled', held],
    ['deleted', left],
    ['imported', arrived],
  ] as const) {
    const counts = [has.people, has.images, has.embeddings, has.corrections, has.imageFiles].map(String);
    rows.push([title, ...counts, mb(has.imageBytes), mb(has.databaseBytes)]);
  }
  console.log(`\n${formatTable(rows)}`);
  const { withoutFace, enrolSeconds, archiveBytes, deleteSeconds, receipt } = figures;
  console.log(`enrolled in ${enrolSeconds.toFixed(0)} s, ${withoutFace} images showed no face`);
  for (const [title, { seconds, peakBytes }] of [
    ['exported', exported],
    ['imported', imported],
  ] as const) {
    console.log(`${title} in ${seconds.toFixed(1)} s by a process of at most ${mb(peakBytes)} MB`);
  }
  console.log(
    `archive of ${mb(archiveBytes)} MB; deleted in ${deleteSeconds.toFixed(1)} s: ${JSON.stringify(receipt)}`,
  );
  console.log(
    `of ${readable.of} vectors the database's files had ${readable.before}, and after the deletion ${readable.after}`,
  );
  const service = Object.entries(memory).map(([when, processes]) => {
    const all = processes.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
    return `${when} ${mb(processes[0]?.residentBytes ?? 0)} (${mb(all)} with those below it)`;
  });
  console.log(`MB of the serving process: ${service.join(', ')}`);
  const { searches, hits, different } = figures;
  console.log(
    `${searches - different.length} of ${searches} searches answered the same, ${hits} of them with a match`,
  );
}
