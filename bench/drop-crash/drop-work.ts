import { setTimeout as sleep } from 'node:timers/promises';
import type { Site } from '../kill/site.js';
import type { Work } from '../kill/work.js';
import type { DropProtocol } from './drop-client.js';
import { checkDropTarget, type DropOutcome, type DropTarget, makeDropTargets } from './drop-targets.js';
import type { FaultSchedule } from './fault-schedule.js';
import type { Ledger } from './ledger.js';
import { uploadUntilGone } from './uploads.js';

export interface DropWorkOptions {
  /** Where the remote servers keep what they receive. */
  readonly dir: string;
  /** Of the account of the drops. */
  readonly key: string;
  readonly ledger: Ledger;
  /** Of each drop. */
  readonly clients: number;
  /** By which they upload. */
  readonly protocol: DropProtocol;
  /** Of the remote servers. */
  readonly faultSchedule: FaultSchedule;
}

export interface DropWork extends Work {
  /** Waits until no file waits any more, and compares where each is with what its clients know. */
  outcomes(turn: number): Promise<readonly DropOutcome[]>;
}

/** In each drop: one of them alone may be no image, and fail there. */
const minAcknowledged = 3;
/** After an upload that a kill or a fault ended. */
const pauseMs = 500;

/** Uploads into a drop that delivers by HTTP and into one that delivers by FTP, each to another service in each round. */
export async function prepareDropWork(site: Site, options: DropWorkOptions): Promise<DropWork> {
  const { key, ledger, clients, protocol } = options;
  const serviceOf = (turn: number) => {
    const services = site.services();
    const service = services[turn % services.length];
    if (service === undefined) throw new Error('no service runs');
    return { ...service, ftpPort: service.ftpPort ?? 0 };
  };
  const targets = await makeDropTargets(serviceOf(0), { ...options, ...serviceOf(0) });
  const isIn = ({ address: { name } }: DropTarget) =>
    [...ledger.values()].filter(({ drop, outcome }) => drop === name && outcome === 'acknowledged').length >=
    minAcknowledged;
  const outcomes = async (turn: number) => {
    const found: DropOutcome[] = [];
    for (const target of targets) found.push(await checkDropTarget(serviceOf(turn), key, target, ledger));
    return found;
  };
  return {
    outcomes,
    start(round) {
      let isOver = false;
      const upload = async (address: DropTarget['address']) => {
        while (!isOver) {
          await uploadUntilGone(address, ledger, () => isOver, protocol);
          if (!isOver) await sleep(pauseMs);
        }
      };
      const all = targets.flatMap(({ address }, index) => {
        const { ftpPort: port } = serviceOf(round + index);
        return Array.from({ length: clients }, () => upload({ ...address, port }));
      });
      return {
        async over() {
          isOver = true;
          await Promise.all(all);
        },
      };
    },
    isAcknowledged: () => targets.every(isIn),
    check: async ({ round }) => (await outcomes(round)).flatMap(({ losses }) => losses),
    describe: () => countOutcomes(ledger),
    async close() {
      for (const { remote } of targets) await remote.stop();
    },
  };
}

export function countOutcomes(ledger: Ledger): string {
  const count = (wanted: string) => [...ledger.values()].filter(({ outcome }) => outcome === wanted).length;
  return `${count('acknowledged')} uploads acknowledged, ${count('cut')} cut, ${count('unknown')} ended by a kill`;
}
