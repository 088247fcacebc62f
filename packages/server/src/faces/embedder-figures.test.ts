import { faceChains } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { comparableWith, figuresOf, findChain, isFormerOf, mirrorsFaces } from './embedder-figures.js';
import { toSimilarity } from './matching.js';

test.each(['accurate', 'permissive'] as const)(
  'vectors of the embedder of the chain %s are judged by its own decision point',
  (chain) => {
    const { models, decisionCosine } = faceChains[chain];
    const { calibration, falseMatch } = figuresOf(`${models.embedder}@0123456789ab.2`);
    expect(toSimilarity(decisionCosine, calibration)).toBe(0.5);
    expect(falseMatch.cosine).toBe(decisionCosine);
  },
);

test('two strangers of the permissive chain are strangers, whatever chain the service has', () => {
  const { calibration } = figuresOf(`${faceChains.permissive.models.embedder}@1.2`);
  expect(toSimilarity(0.85, calibration)).toBeLessThan(0.01);
});

test('vectors of the revision before are judged by the curve of before, and are not mirrored', () => {
  for (const { models, former } of Object.values(faceChains)) {
    const { calibration, falseMatch } = figuresOf(`${models.embedder}@abc`);
    expect([calibration.midpoint, calibration.slope]).toEqual([former.decisionCosine, former.cosineSlope]);
    expect(falseMatch.rate).toBe(former.falseMatch.rate);
  }
  expect([mirrorsFaces('dlib-resnet@abc'), mirrorsFaces('dlib-resnet@abc.2')]).toEqual([false, true]);
});

test('every version of an installed model embeds images, and a revision of a newer program does not', () => {
  const installed = (id: string) => ({ id, version: 'abc', dir: '' });
  expect(findChain('fr-feature@abc', installed)).toBe('accurate');
  expect(findChain('fr-feature@abc.2', installed)).toBe('accurate');
  expect(findChain('fr-feature@abc.3', installed)).toBeUndefined();
  expect(findChain('fr-feature@def.2', installed)).toBe('accurate');
  expect(findChain('fr-feature@def', () => undefined)).toBeUndefined();
  expect(findChain('other@abc', installed)).toBeUndefined();
});

test('a former embedder is the same model in a lower revision or another version', () => {
  expect(isFormerOf('fr-feature@abc', 'fr-feature@abc.2')).toBe(true);
  expect(isFormerOf('fr-feature@abc.2', 'fr-feature@abc.2')).toBe(false);
  expect(isFormerOf('fr-feature@def', 'fr-feature@abc.2')).toBe(true);
  expect(isFormerOf('fr-feature@def.2', 'fr-feature@abc.2')).toBe(true);
  expect(isFormerOf('fr-feature@abc.3', 'fr-feature@abc.2')).toBe(false);
  expect(isFormerOf('dlib-resnet@abc', 'fr-feature@abc.2')).toBe(false);
  expect(comparableWith('fr-feature@abc.2')).toBe('fr-feature@%');
});
