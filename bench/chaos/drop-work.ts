import { setTimeout as sleep } from 'node:timers/promises';
import { checkDropTarget, makeDropTargets } from '../drop-crash/drop-targets.js';
import { createFaultSchedule } from '../drop-crash/fault-schedule.js';
import type { Ledger } from '../drop-crash/ledger.js';
import { countOutcomes } from '../drop-crash/rounds.js';
import { uploadUntilGone } from '../drop-crash/uploads.js';
import { type Installation, makeKey, replicaNames } from './installation.js';
import type { Work } from './work.js';

/** After an upload that a fault ended. */
const pauseMs = 500;

/**
 * Uploads by FTP into a drop that delivers by HTTP and into one that delivers by FTP, each to another replica in each round.
 * @param dir where the remote servers keep what they receive
 */
export async function prepareDropWork(installation: Installation, dir: string): Promise<Work> {
  const { replicas } = installation;
  const key = await makeKey(installation, 'drops');
  const ledger: Ledger = new Map();
  const faultSchedule = createFaultSchedule(1000, 1000);
  // The installation is disturbed, and what it delivers to is not.
  faultSchedule.clear();
  const { url, ftpPort } = replicas.one;
  const targets = await makeDropTargets({ url }, { dir, key, ftpPort, faultSchedule });
  return {
    start(round) {
      let isOver = false;
      const upload = async (address: (typeof targets)[number]['address']) => {
        while (!isOver) {
          await uploadUntilGone(address, ledger, () => isOver);
          if (!isOver) await sleep(pauseMs);
        }
      };
      const all = targets.map(({ address }, index) => {
        const name = replicaNames[(round + index) % replicaNames.length] ?? 'one';
        return upload({ ...address, port: replicas[name].ftpPort });
      });
      return {
        async over() {
          isOver = true;
          await Promise.all(all);
        },
      };
    },
    async check({ reader }) {
      const found: string[] = [];
      for (const target of targets) {
        found.push(...(await checkDropTarget(replicas[reader], key, target, ledger)).losses);
      }
      return found;
    },
    describe: () => countOutcomes(ledger),
    async close() {
      for (const { remote } of targets) await remote.stop();
    },
  };
}
