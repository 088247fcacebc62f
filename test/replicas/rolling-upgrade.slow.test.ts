import { describe, expect, test } from 'vitest';
import { findPostgres } from '#bench/postgres/cluster.js';
import { settingsOf } from '#bench/rolling-upgrade/old-version.js';
import { problemsOf } from '#bench/rolling-upgrade/run.js';
import { upgradeUnderLoad } from '#bench/rolling-upgrade/upgrade.js';
import { presentBundle } from '#bench/single-service.js';
import { haveStore } from '#server/storage/blobs/fixtures/store-programs.js';
import { haveDefaultModels } from '../support/default-models.js';
import { haveProgram } from '../support/have-program.js';

const canRun =
  (findPostgres() !== null || process.env['CI'] === 'true') &&
  haveStore('ceph') &&
  haveProgram('/usr/sbin/nginx', ['-v'], 'nginx-light') &&
  (await haveDefaultModels());

// The short form of `npm run bench -- rolling-upgrade`, which begins with replicas of an older commit.
describe.skipIf(!canRun)('two replicas under load that are replaced one after the other', () => {
  test('show clients with retries no error, lose nothing and count exactly', {
    timeout: 400_000,
  }, async () => {
    const present = { bundle: presentBundle, settings: await settingsOf(presentBundle) };
    const upgrade = await upgradeUnderLoad({
      from: present,
      to: present,
      restartsOld: false,
      clients: 3,
      seconds: 2,
      drainDelayMs: 1000,
      searches: 8,
      log: () => undefined,
    });
    expect(problemsOf(upgrade)).toEqual([]);
    // That there was something to lose.
    const { ledger, more } = upgrade;
    for (const acknowledged of [ledger.keys, ledger.faces.images, more.datasetImages, more.uploads])
      expect(acknowledged.size).toBeGreaterThan(0);
    expect(ledger.calls.limited.answered).toBeGreaterThan(0);
    expect(more.sessions.length).toBeGreaterThan(0);
  });
});
