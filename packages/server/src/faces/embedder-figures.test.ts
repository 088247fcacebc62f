import { faceChains } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { figuresOf } from './embedder-figures.js';
import { toSimilarity } from './matching.js';

test.each(['accurate', 'permissive'] as const)(
  'vectors of the embedder of the chain %s are judged by its own decision point',
  (chain) => {
    const { models, decisionCosine } = faceChains[chain];
    const { calibration, falseMatch } = figuresOf(`${models.embedder}@0123456789ab`);
    expect(toSimilarity(decisionCosine, calibration)).toBe(0.5);
    expect(falseMatch.cosine).toBe(decisionCosine);
  },
);

test('two strangers of the permissive chain are strangers, whatever chain the service has', () => {
  const { calibration } = figuresOf(`${faceChains.permissive.models.embedder}@1`);
  expect(toSimilarity(0.85, calibration)).toBeLessThan(0.01);
});
