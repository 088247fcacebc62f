import { setTimeout as sleep } from 'node:timers/promises';
import { crashService } from '../kill/crash-service.js';
import { findFaketime } from './faked-clock.js';
import type { Installation, ReplicaName } from './installation.js';

/** What befalls an installation amid its work; all is as before when it resolves, and replicas that ended run again. */
export interface Fault {
  readonly name: string;
  /** The replica that it befalls alone: the other answers meanwhile. */
  readonly only?: ReplicaName;
  /** Whether that replica ends by it. */
  readonly kills?: boolean;
  /**
   * Answers descriptions of what should not have come about.
   * @param seconds how long what can last lasts
   */
  strike(installation: Installation, seconds: number): Promise<readonly string[]>;
}

export const faults: readonly Fault[] = [
  {
    name: 'a replica is killed',
    only: 'one',
    kills: true,
    async strike({ replicas: { one } }) {
      const survivors = await crashService(one.service(), 'everything');
      await one.start();
      return survivors;
    },
  },
  {
    name: 'PostgreSQL is stopped at once',
    async strike({ cluster }, seconds) {
      await cluster().stop('immediate');
      await sleep(seconds * 1000);
      await cluster().start();
      return [];
    },
  },
  {
    name: 'a standby takes over from PostgreSQL',
    async strike(installation, seconds) {
      const leader = installation.cluster();
      const standby = await leader.addStandby();
      await sleep((seconds * 1000) / 2);
      await leader.stop('immediate');
      await sleep((seconds * 1000) / 2);
      await standby.promote();
      await installation.turnTo(standby);
      return [];
    },
  },
  {
    name: 'the object store does not answer',
    async strike({ store }, seconds) {
      store.pause();
      await sleep(seconds * 1000);
      store.resume();
      return [];
    },
  },
  {
    name: 'the object store is killed',
    async strike({ store }, seconds) {
      await store.kill();
      await sleep(seconds * 1000);
      await store.start();
      return [];
    },
  },
  cutOff('PostgreSQL', ['toDatabase']),
  cutOff('the object store', ['toStore']),
  cutOff('both', ['toDatabase', 'toStore']),
  ...(findFaketime() === null ? [] : [90, -90, 1200, -1200].map(setClock)),
];

function setClock(aheadSeconds: number): Fault {
  const words = `${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead' : 'behind'}`;
  return {
    name: `the clock of a replica is ${words}`,
    only: 'two',
    async strike({ replicas: { two } }, seconds) {
      await two.clock?.setAhead(aheadSeconds);
      await sleep(seconds * 1000);
      await two.clock?.setAhead(0);
      return [];
    },
  };
}

function cutOff(from: string, lines: readonly ('toDatabase' | 'toStore')[]): Fault {
  return {
    name: `a replica is cut off from ${from}`,
    only: 'two',
    async strike({ replicas: { two } }, seconds) {
      for (const line of lines) {
        two[line].faults.isRefusing = true;
        two[line].cut();
      }
      await sleep(seconds * 1000);
      for (const line of lines) two[line].faults.isRefusing = false;
      return [];
    },
  };
}
