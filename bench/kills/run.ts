import { killAgainAndAgain } from './rounds.js';

const clients = 12;

/** The service killed under load, again and again; throws when something that was acknowledged is lost. */
export async function runKills(asked: {
  readonly rounds: number;
  readonly only: string | undefined;
}): Promise<void> {
  const { rounds, only } = asked;
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number above 0');
  if (only !== undefined && only !== 'faces') throw new Error('--only must be faces, or left out');
  const kills = await killAgainAndAgain({ rounds, clients, only, tell: (line) => console.log(line) });
  const losses = kills.rounds.flatMap((round) => round.losses);
  const slowestMs = Math.max(...kills.rounds.map(({ restartMs }) => restartMs));
  console.log(
    `${rounds} kills, ${losses.length} things lost; the slowest start ${(slowestMs / 1000).toFixed(1)} s`,
  );
  if (losses.length > 0) throw new Error('something that was acknowledged is lost');
}
