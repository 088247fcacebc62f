import { faceChains } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { createCosineCounts, shareFrom } from '../cosine-counts.js';
import { figuresOf } from '../embedder-figures.js';
import { toDecisionCosine } from '../matching.js';
import type { ProposedCalibration } from '../propose-calibration.js';
import { needsRefit, refitDecision } from './refit-decision.js';

const [former, present] = ['fr-feature@0123456789ab', 'fr-feature@0123456789ab.2'];
const own = (decisionSimilarity: number, calibration: { midpoint: number; slope: number } | null = null) => ({
  embedder: former,
  decisionSimilarity,
  calibration,
});
const rate = (cosine: number, embedder: string) => {
  const { cosine: known, rate: knownRate, perTenfold } = figuresOf(embedder).falseMatch;
  return knownRate * 10 ** ((known - cosine) / perTenfold);
};

test('only another revision or version of the same model needs a refit, and only of what is not the usual', () => {
  expect(needsRefit({ perception: own(0.5), to: present })).toBe(false);
  expect(needsRefit({ perception: own(0.6), to: present })).toBe(true);
  expect(needsRefit({ perception: own(0.5, { midpoint: 0.4, slope: 10 }), to: present })).toBe(true);
  expect(needsRefit({ perception: own(0.6), to: 'dlib-resnet@1.2' })).toBe(false);
  expect(needsRefit({ perception: own(0.6), to: 'fr-feature@ba9876543210.2' })).toBe(true);
});

test.each([0.3, 0.6, 0.8])(
  'without people of its own, a decision point of %s keeps its rate by both curves',
  (similarity) => {
    const { from, to, falseMatchRate, pairs } = refitDecision({
      perception: own(similarity),
      to: present,
      own: null,
    });
    expect(from.cosine).toBeCloseTo(toDecisionCosine(similarity, figuresOf(former).calibration), 9);
    expect(rate(to.cosine, present)).toBeCloseTo(rate(from.cosine, former), 9);
    expect(falseMatchRate).toBeCloseTo(rate(from.cosine, former), 9);
    expect(toDecisionCosine(to.similarity, figuresOf(present).calibration)).toBeCloseTo(to.cosine, 9);
    expect(pairs).toBe(0);
  },
);

test('a curve of its own keeps the similarity, and has the new decision point there', () => {
  const calibration = { midpoint: 0.42, slope: 13 };
  const { to } = refitDecision({ perception: own(0.6, calibration), to: present, own: null });
  expect(to.similarity).toBe(0.6);
  expect(to.calibration?.slope).toBe(faceChains.accurate.cosineSlope);
  expect(toDecisionCosine(0.6, to.calibration ?? calibration)).toBeCloseTo(to.cosine, 9);
});

test.each([0, 1])(
  'a decision similarity of %s stays, and a curve keeps the rate at its midpoint',
  (similarity) => {
    const calibration = { midpoint: 0.42, slope: 13 };
    const curved = refitDecision({ perception: own(similarity, calibration), to: present, own: null });
    expect(curved.to.similarity).toBe(similarity);
    expect(Number.isFinite(curved.to.calibration?.midpoint)).toBe(true);
    expect(rate(curved.to.calibration?.midpoint ?? 0, present)).toBeCloseTo(rate(0.42, former), 9);
    const usual = refitDecision({ perception: own(similarity), to: present, own: null });
    expect(usual.to).toMatchObject({ similarity, calibration: null });
  },
);

test.each([0, 0.6, 1])(
  'another version of the same revision keeps a curve and the decision point %s',
  (at) => {
    const perception = { ...own(at, { midpoint: 0.42, slope: 13 }), embedder: 'fr-feature@ba9876543210.2' };
    const { from, to, pairs } = refitDecision({ perception, to: present, own: null });
    expect(to).toEqual(from);
    expect(to).toMatchObject({ similarity: at, calibration: { midpoint: 0.42, slope: 13 } });
    expect(pairs).toBe(0);
  },
);

test('with enough people of its own, as many of their pairs match as before', () => {
  const impostors = (shift: number) =>
    createCosineCounts(Array.from({ length: 20_000 }, (_, index) => shift + 0.5 * (index / 20_000)));
  const proposed = (shift: number): ProposedCalibration => ({
    calibration: { midpoint: 0.5, slope: 15 },
    people: 100,
    images: 300,
    pairs: { genuine: 300, impostor: 20_000 },
    errorsAt: (cosine) => ({ falseMatchRate: shareFrom(impostors(shift), cosine), falseNonMatchRate: 0 }),
    distributions: { from: -1, to: 1, genuine: [], impostor: [] },
  });
  // The new vectors of two people are less alike by .1.
  const facts = { before: proposed(0), after: proposed(-0.1) };
  const { from, to, pairs, falseMatchRate } = refitDecision({
    perception: own(0.4),
    to: present,
    own: facts,
  });
  expect(pairs).toBe(20_000);
  expect(falseMatchRate).toBeGreaterThan(0.01);
  expect(to.cosine).toBeCloseTo(from.cosine - 0.1, 2);
});
