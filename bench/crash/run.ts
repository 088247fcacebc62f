import { slowestStartMs } from '../kill/kill-amid.js';
import { findingsOf, requireRounds } from '../kill/rounds.js';
import { crashDuringTraining } from './custom/rounds.js';
import { crashRepeatedly } from './rounds.js';

const clients = 12;
const maxLifeMs = 3000;

/** Kills the service under load repeatedly; throws when something that was acknowledged is lost. */
export async function runCrash(asked: {
  readonly rounds: number;
  readonly only: string | undefined;
}): Promise<void> {
  const { rounds: count, only } = asked;
  requireRounds(count);
  if (only !== undefined && only !== 'faces' && only !== 'models')
    throw new Error('--only must be faces or models, or left out');
  const log = (line: string) => console.log(line);
  const { rounds } =
    only === 'models'
      ? await crashDuringTraining({ rounds: count, log })
      : await crashRepeatedly({ rounds: count, clients, maxLifeMs, only, log });
  const losses = findingsOf(rounds);
  const slowest = (slowestStartMs(rounds) / 1000).toFixed(1);
  console.log(`${count} kills, ${losses.length} things lost; the slowest start ${slowest} s`);
  if (losses.length > 0) throw new Error('something that was acknowledged is lost');
}
