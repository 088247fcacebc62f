import { describe, expect, test } from 'vitest';
import { killed } from '#bench/stream-kills/faults.js';
import { killAmidStream } from '#bench/stream-kills/trial.js';
import { haveFfmpeg, haveRtspServer } from '#server/streams/fixtures/programs.js';
import { haveMosquitto } from '#server/streams/outputs/fixtures/mosquitto.js';
import { haveDefaultModels } from './support/default-models.js';

const havePrograms = [haveFfmpeg(), haveRtspServer(), haveMosquitto(), await haveDefaultModels()];

// The short form of `npm run bench -- stream-kills`, which kills each twenty times.
describe.skipIf(havePrograms.includes(false))('events of a camera', () => {
  test('arrive in order and none is lost, whatever is killed, and files and rows agree', {
    timeout: 600_000,
  }, async () => {
    const { findings, events, repeated } = await killAmidStream({ rounds: 1, log: () => undefined });
    expect(findings).toEqual([]);
    expect(events).toBeGreaterThan(killed.length);
    // Whose confirmation was lost.
    expect(repeated.webhook).toBeLessThanOrEqual(killed.length);
    expect(repeated.broker).toBeLessThanOrEqual(2 * killed.length);
  });
});
