import { killAgainAndAgain } from './rounds.js';

const clients = 12;

/** The service killed under load, again and again; throws when something that was acknowledged is lost. */
export async function runKills({ rounds }: { readonly rounds: number }): Promise<void> {
  const kills = await killAgainAndAgain({ rounds, clients, tell: (line) => console.log(line) });
  const losses = kills.rounds.flatMap((round) => round.losses);
  const slowestMs = Math.max(...kills.rounds.map(({ restartMs }) => restartMs));
  console.log(
    `${rounds} kills, ${losses.length} things lost; the slowest start ${(slowestMs / 1000).toFixed(1)} s`,
  );
  if (losses.length > 0) throw new Error('something that was acknowledged is lost');
}
