import { type CheckedInstallation, checkInstallation } from '../chaos/check.js';
import { replicaNames } from '../chaos/installation.js';
import { concurrently } from '../concurrently.js';
import { hashOf } from '../crash/custom/draw-image.js';
import type { UpgradedInstallation } from './installation.js';
import type { UpgradeStage } from './operations.js';
import { findUndelivered } from './uploads.js';

/**
 * What of all that was acknowledged is not there after an upgrade, through each of the new replicas.
 * @param searches images of faces that are searched for through each
 */
export async function checkUpgraded(
  installation: UpgradedInstallation,
  stage: Omit<UpgradeStage, 'visitor'>,
  searches: number,
): Promise<readonly string[]> {
  const { databaseUrl, settings, store, replicas, dropFolder } = installation;
  const { keys, modelId, ledger, more } = stage;
  const checked: CheckedInstallation = { databaseUrl, settings, store, replicas };
  const findings = [
    ...(await checkInstallation(checked, keys, { modelId, ledger, searches })),
    ...(await findUndelivered(dropFolder, more)),
  ];
  for (const name of replicaNames) {
    const { url } = replicas[name];
    const lost = [
      ...(await lostDatasetImages(url, stage)),
      ...(await lostSessions(url, more.sessions)),
      ...(await unready(url)),
    ];
    findings.push(...lost.map((words) => `replica ${name}: ${words}`));
  }
  return findings;
}

async function lostDatasetImages(
  url: string,
  { keys, datasetId, more }: Pick<UpgradeStage, 'keys' | 'datasetId' | 'more'>,
): Promise<readonly string[]> {
  const lost = await concurrently([...more.datasetImages], 4, async ([id, sha256]) => {
    const answer = await fetch(`${url}/api/datasets/${datasetId}/images/${id}/content`, {
      headers: { 'x-api-key': keys.unlimited },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (!answer.ok) return [`image ${id} of the dataset is answered ${answer.status}`];
    return hashOf(bytes) === sha256 ? [] : [`image ${id} of the dataset is another one than was sent`];
  });
  return lost.flat();
}

async function lostSessions(url: string, sessions: readonly string[]): Promise<readonly string[]> {
  const lost = await concurrently(sessions, 4, async (cookie) => {
    const { status } = await fetch(`${url}/api/session`, { headers: { cookie } });
    return status === 200 ? [] : [`a session is answered ${status}`];
  });
  return lost.flat();
}

async function unready(url: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/readyz`);
  const text = await answer.text();
  return answer.status === 200 && !text.includes('degraded') ? [] : [`/readyz says ${answer.status} ${text}`];
}
