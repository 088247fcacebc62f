import { seededRandom } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { fitNet, logOddsOf } from './fit-net.js';

test('a net tells two kinds of steps apart that no plane parts', () => {
  const random = seededRandom(1);
  const steps = (isReadable: boolean) => {
    const features = Float32Array.from({ length: 20 }, () => (random() < 0.5 ? 1 : -1) + 0.2 * random());
    // Of each step both features have one sign, or both signs occur.
    for (let at = 0; at < 20; at += 2) features[at + 1] = (features[at] ?? 0) * (isReadable ? 1 : -1);
    return { features, isReadable };
  };
  const all = Array.from({ length: 200 }, (_, at) => steps(at % 2 === 0));
  const options = { dims: 2, hidden: 8, epochs: 30, learningRate: 0.02, batch: 16, decay: 0, random };
  const net = fitNet(all, options);
  for (const { features, isReadable } of [steps(true), steps(false)]) {
    const odds = logOddsOf(net, features);
    expect(odds).toHaveLength(10);
    const mean = odds.reduce((sum, value) => sum + value, 0) / 10;
    if (isReadable) expect(mean).toBeGreaterThan(1);
    else expect(mean).toBeLessThan(-1);
  }
});
