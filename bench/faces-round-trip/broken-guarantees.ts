import type { Holdings } from './holdings.js';
import type { TripFigures } from './round-trip.js';

/** Descriptions of the broken guarantees of a round trip. */
export function brokenGuarantees(figures: TripFigures): readonly string[] {
  const { held, receipt, left, readable, arrived, different } = figures;
  const due = {
    people: held.people,
    images: held.images,
    embeddings: held.embeddings,
    corrections: held.corrections,
    image_bytes: held.imageBytes,
  };
  return [
    ...differences('the receipt', due, receipt),
    ...differences('what is left', emptied, { ...left }),
    ...differences('the database on disk', { 'readable vectors': 0 }, { 'readable vectors': readable.after }),
    ...differences('what arrived', carried(held), { ...carried(arrived) }),
    ...different,
  ];
}

const emptied = {
  perceptions: 0,
  people: 0,
  images: 0,
  embeddings: 0,
  corrections: 0,
  changes: 0,
  imageFiles: 0,
  imageBytes: 0,
};

function carried({ people, images, embeddings, corrections, imageFiles, imageBytes }: Holdings) {
  return { people, images, embeddings, corrections, imageFiles, imageBytes };
}

function differences(
  what: string,
  due: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(due).flatMap(([name, value]) =>
    found[name] === value ? [] : [`${what} has ${found[name]} ${name}, not ${value}`],
  );
}
