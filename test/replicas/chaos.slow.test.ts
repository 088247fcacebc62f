import { describe, expect, test } from 'vitest';
import { faults } from '#bench/chaos/faults.js';
import { disturb } from '#bench/chaos/rounds.js';
import { findPostgres } from '#bench/postgres/cluster.js';
import { haveStore } from '#server/storage/blobs/fixtures/store-programs.js';
import { haveDefaultModels } from '../support/default-models.js';

const canRun =
  (findPostgres() !== null || process.env['CI'] === 'true') &&
  haveStore('ceph') &&
  (await haveDefaultModels());

// The short form of `npm run bench -- chaos`, which does each of twelve faults twenty times, with more under way.
describe.skipIf(!canRun)('two replicas under load', () => {
  test('lose nothing while one is killed, the database is replaced by its standby, and one is cut off from all', {
    timeout: 900_000,
  }, async () => {
    const short = [
      'a replica is killed',
      'a standby takes over from PostgreSQL',
      'a replica is cut off from both',
    ];
    const { rounds, ledger } = await disturb({
      faults: short.flatMap((name) => faults.find((fault) => fault.name === name) ?? []),
      rounds: short.length,
      clients: 2,
      seconds: 2,
      underLoadMs: 500,
      searches: 10,
      areCallsAll: true,
      log: () => undefined,
    });
    expect(rounds).toMatchObject(short.map((fault) => ({ fault, findings: [] })));
    // That there was something to lose.
    expect(ledger.calls.unlimited.answered).toBeGreaterThan(0);
    expect(ledger.calls.limited.answered).toBeGreaterThan(0);
    expect(ledger.keys.size).toBeGreaterThan(0);
    expect(ledger.faces.images.size).toBeGreaterThan(0);
  });
});
