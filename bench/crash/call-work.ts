import { readFile } from 'node:fs/promises';
import { makePerception } from '../face-index/make-perception.js';
import { makeKey, type Site, withStorage } from '../kill/site.js';
import type { Work } from '../kill/work.js';
import { checkCalls } from './check-calls.js';
import type { Ledger } from './ledger.js';
import { operationsOf } from './operations.js';
import { startOperations } from './run-operations.js';
import type { Stage } from './stage.js';

export interface CallWorkOptions {
  readonly ledger: Ledger;
  /** Of each service. */
  readonly clients: number;
  /** Known faces alone, or everything. */
  readonly only?: 'faces' | undefined;
  /** Images of faces that are searched for through each service after a round, and after the last. */
  readonly searches: number;
  readonly lastSearches: number;
  /** Whether the command line makes a key in each round: it fails where a fault befalls the database. */
  readonly hasCommand: boolean;
}

const samplePath = new URL('../../../packages/server/assets/sample.jpg', import.meta.url);

/** Predictions that are counted, keys, results and faces: after each round all that was acknowledged must be there. */
export async function prepareCallWork(site: Site, options: CallWorkOptions): Promise<Work> {
  const { ledger, clients, only, hasCommand } = options;
  const stage: Omit<Stage, 'visitor'> = {
    keys: { unlimited: site.key, limited: await makeKey(site, 'limited') },
    image: await readFile(samplePath),
    // Of the first account.
    modelId: await withStorage(site, async ({ database }) => (await makePerception(database)).perceptionId),
    ledger,
  };
  const operations = operationsOf(only);
  let commandKeysDue = 0;
  return {
    start(round) {
      commandKeysDue += Number(hasCommand);
      const command = async () => void ledger.commandKeys.push(await makeKey(site, `of round ${round}`));
      const made = hasCommand ? command() : Promise.resolve();
      // Reported by `over`.
      made.catch(() => undefined);
      const loads = site
        .services()
        .map((service) => startOperations(service, stage, { clients, operations }));
      return { over: async () => void (await Promise.all([made, ...loads.map((load) => load.over())])) };
    },
    isAcknowledged: () =>
      ledger.commandKeys.length === commandKeysDue &&
      ledger.faces.images.size > 0 &&
      (only === 'faces' || (ledger.calls.limited.answered > 0 && ledger.keys.size > 0)),
    check: ({ isLast }) =>
      checkCalls(site, { ...stage, searches: isLast ? options.lastSearches : options.searches }),
    describe: () => describeLedger(ledger),
    close: async () => undefined,
  };
}

function describeLedger({ calls: { unlimited, limited }, keys, commandKeys, files, faces }: Ledger): string {
  return (
    `calls answered ${unlimited.answered} + ${limited.answered}, counted ${unlimited.counted} + ${limited.counted}, ` +
    `sent ${unlimited.sent} + ${limited.sent}; ${keys.size + commandKeys.length} keys, ${files.size} files, ` +
    `${faces.images.size} face images, ${faces.changed} of them deleted, moved or merged`
  );
}
