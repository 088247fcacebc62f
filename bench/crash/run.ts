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
  const { rounds, only } = asked;
  requireRounds(rounds);
  if (only !== undefined && only !== 'faces' && only !== 'models')
    throw new Error('--only must be faces or models, or left out');
  const log = (line: string) => console.log(line);
  const crashed =
    only === 'models'
      ? await crashDuringTraining({ rounds, log })
      : await crashRepeatedly({ rounds, clients, maxLifeMs, only, log });
  const losses = findingsOf(crashed.rounds);
  const late = 'ledgers' in crashed ? crashed.rounds.flatMap((round) => round.late) : [];
  const slowestMs = Math.max(...crashed.rounds.map(({ restartMs }) => restartMs));
  console.log(
    `${rounds} kills, ${losses.length} things lost; the slowest start ${(slowestMs / 1000).toFixed(1)} s`,
  );
  if (losses.length > 0) throw new Error('something that was acknowledged is lost');
  if (late.length > 0) throw new Error(`not in time: ${late.join('; ')}`);
}
