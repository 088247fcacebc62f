import { requireRounds } from '../kill/rounds.js';
import { killed } from './faults.js';
import { killAmidStream } from './trial.js';

/** Kills each of what a stream needs so often; throws when an event is lost, or something else that was promised. */
export async function runStreamKills({ rounds }: { readonly rounds: number }): Promise<void> {
  requireRounds(rounds);
  const trial = await killAmidStream({ rounds, log: (line) => console.log(line) });
  if (trial.findings.length > 0) throw new Error(`a guarantee is broken: ${trial.findings.join('; ')}`);
  console.log(`${rounds} kills of each of ${killed.join(', ')}: ${trial.events} events, none lost`);
}
