import { anyOf } from '../kill/chance.js';
import { type Site, withStorage } from '../kill/site.js';
import { untilNone } from '../kill/until.js';
import { createVisitor } from '../load/visitor.js';
import { readCounts } from '../scale-counting/counts.js';
import { findLosses } from './check.js';
import type { Ledger, Payer } from './ledger.js';
import { findLostFaces } from './lost-faces.js';
import { readStoredFaces, type StoredFaces } from './stored-faces.js';
import { findMisindexedFaces, findUnfoundFaces } from './unfound-faces.js';

export interface CallsChecked {
  readonly keys: Readonly<Record<Payer, string>>;
  readonly modelId: number;
  readonly ledger: Ledger;
  /** Maximum of images of faces that are searched for through each service, half of them those added last. */
  readonly searches: number;
}

/**
 * Compares calls, keys, results and faces with what was acknowledged, and the index of faces with the database, through each
 * service; returns descriptions of the differences.
 */
export async function checkCalls(site: Site, asked: CallsChecked): Promise<readonly string[]> {
  const { keys, modelId, ledger, searches } = asked;
  const stored = await readAfterSweep(site, modelId);
  const findings = [...ledger.setbacks.splice(0), ...stored.halves, ...findLostFaces(stored, ledger.faces)];
  const faces = {
    modelId,
    key: keys.unlimited,
    present: [...stored.rows.slice(0, searches / 2), ...anyOf(stored.rows.slice(searches / 2), searches / 2)],
    deleted: anyOf(
      [...ledger.faces.images]
        .filter(([, { isDeleted }]) => isDeleted === 'yes')
        .map(([id, { image }]) => ({ id, image })),
      searches / 4,
    ),
  };
  const { settledWithinMs } = site.timing;
  for (const { name, url, metricsUrl } of site.services()) {
    const visitor = createVisitor(url);
    const differences = async () => [
      ...(await findLosses(visitor, keys, ledger)),
      ...(await findUnfoundFaces(visitor, faces)),
      ...(await findMisindexedFaces(metricsUrl, stored.rows.length)),
    ];
    const found = await untilNone(differences, settledWithinMs);
    findings.push(...found.map((words) => (name === '' ? words : `replica ${name}: ${words}`)));
    await visitor.close();
  }
  const { LYNCEUS_DATABASE_URL: databaseUrl = '' } = site.settings;
  const miscounts = async () => (databaseUrl === '' ? [] : findMiscounts(databaseUrl));
  return [...findings, ...(await untilNone(miscounts, settledWithinMs))];
}

function readAfterSweep(site: Site, modelId: number): Promise<StoredFaces> {
  const { orphanAgeMs, sweptWithinMs } = site.timing;
  return withStorage(site, async ({ database }) => {
    const images = await site.openFiles('faces');
    try {
      const read = () => readStoredFaces(database, images, { modelId, orphanAgeMs });
      await untilNone(async () => (await read()).halves, sweptWithinMs);
      return await read();
    } finally {
      images.close();
    }
  });
}

/** Usage, the account's counter and those of its keys, which say the same where calls are counted exactly. */
async function findMiscounts(databaseUrl: string): Promise<readonly string[]> {
  return (await readCounts(databaseUrl)).flatMap(({ account, usage, used, usedByKeys }) =>
    usage === used && used === usedByKeys
      ? []
      : [`${account}: ${usage} calls in the usage, ${used} of the account, ${usedByKeys} of its keys`],
  );
}
