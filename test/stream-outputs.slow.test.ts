import { describe, expect, test } from 'vitest';
import { runOutputTrial } from '#bench/stream-outputs/trial.js';
import { haveMosquitto } from '#server/streams/outputs/fixtures/mosquitto.js';
import { haveDefaultModels } from './support/default-models.js';

// The short form of `npm run bench -- stream-outputs`, which kills twenty times.
describe.skipIf(!haveMosquitto() || !(await haveDefaultModels()))('events of streams', () => {
  test('arrive in order and none is lost, though the service and the broker are killed', {
    timeout: 300_000,
  }, async () => {
    const { sent, kills, webhook, mqtt, wills } = await runOutputTrial({ rounds: 2, log: () => undefined });
    expect(sent.length).toBe(60);
    expect(webhook).toMatchObject({ missing: 0, disordered: 0 });
    expect(mqtt).toMatchObject({ missing: 0, disordered: 0 });
    // Whose confirmation was lost.
    expect(webhook.repeated).toBeLessThanOrEqual(kills.service);
    expect(mqtt.repeated).toBeLessThanOrEqual(2 * (kills.service + kills.broker));
    expect(wills).toBeGreaterThanOrEqual(kills.service);
  });
});
