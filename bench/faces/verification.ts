import type { AskFaces } from './ask-faces.js';
import { type Degradation, degradations, type Subject } from './degrade.js';
import { accepted, type PairScores, type Probe, scoreAgainst, scorePairs } from './pairs.js';
import type { Portrait } from './people.js';

export interface Verification {
  readonly probes: readonly Probe[];
  readonly subjects: readonly Subject[];
  readonly scores: PairScores;
  /** Largest faces of the photographs found, of how many. */
  readonly found: number;
}

/** Every photograph with every other one, as they are. */
export async function verifyPeople(portraits: readonly Portrait[], ask: AskFaces): Promise<Verification> {
  const probes: Probe[] = [];
  const subjects: Subject[] = [];
  for (const { person, bytes, name } of portraits) {
    const [face] = await ask(bytes);
    if (!face) console.log(`no face in ${name}`);
    probes.push({ person, embedding: face?.embedding ?? null });
    subjects.push({ bytes, box: face?.box ?? { xMin: 0, yMin: 0, xMax: 112, yMax: 112 } });
  }
  const found = probes.filter(({ embedding }) => embedding).length;
  return { probes, subjects, scores: scorePairs(probes), found };
}

export interface DegradedRow {
  readonly title: string;
  /** Of the photographs made worse. */
  readonly found: number;
  /** Worse photographs against the others as they are, at the threshold of clean impostors; and the impostors then. */
  readonly trueAcceptance: number;
  readonly falseAcceptance: number;
}

/** Photographs made worse as probes, against the others as they are, at the threshold that clean impostors give. */
export async function verifyDegraded(
  { probes: gallery, subjects }: Pick<Verification, 'probes' | 'subjects'>,
  threshold: number,
  ask: AskFaces,
): Promise<DegradedRow[]> {
  const rows: DegradedRow[] = [];
  for (const degradation of degradations) {
    const probes = await probesOf(degradation, subjects, gallery, ask);
    const { genuine, impostor } = scoreAgainst(probes, gallery);
    rows.push({
      title: degradation.title,
      found: probes.filter(({ embedding }) => embedding).length,
      trueAcceptance: accepted(genuine, threshold),
      falseAcceptance: accepted(impostor, threshold),
    });
  }
  return rows;
}

/** Photographs made worse, in the order of the gallery. */
export async function probesOf(
  { apply }: Degradation,
  subjects: readonly Subject[],
  gallery: readonly Probe[],
  ask: AskFaces,
): Promise<Probe[]> {
  const probes: Probe[] = [];
  for (const [index, subject] of subjects.entries()) {
    const [face] = await ask(await apply(subject));
    probes.push({ person: gallery[index]?.person ?? '', embedding: face?.embedding ?? null });
  }
  return probes;
}

/** Scores of the people's pairs, with strangers from other photographs as further impostors. */
export function withStrangers(
  { probes, scores }: Verification,
  strangers: readonly { readonly photo: string; readonly embedding: Float32Array }[],
): PairScores {
  const others = strangers.map(({ photo, embedding }) => ({ person: photo, embedding }));
  const apart = scorePairs(others).impostor;
  const across = probes.flatMap((probe) => scorePairsOf(probe, others));
  return { genuine: scores.genuine, impostor: [...scores.impostor, ...apart, ...across] };
}

function scorePairsOf(probe: Probe, others: readonly Probe[]): readonly number[] {
  return others.flatMap((other) => scorePairs([probe, other]).impostor);
}
