import { findingsOf, requireRounds } from '../kill/rounds.js';
import { faults } from './faults.js';
import { disturb } from './rounds.js';

/** Of each replica. */
const clients = 6;
const underLoadMs = 3000;
const searches = 40;

/** Disturbs two replicas under load; throws when something that was acknowledged is lost, counted wrongly or not answered. */
export async function runChaos({
  rounds,
  seconds,
}: {
  readonly rounds: number;
  readonly seconds: number;
}): Promise<void> {
  requireRounds(rounds);
  if (!(seconds > 0)) throw new Error('--seconds must be above 0');
  const log = (line: string) => console.log(line);
  const disturbed = await disturb({
    faults,
    rounds: rounds * faults.length,
    clients,
    seconds,
    underLoadMs,
    searches,
    log,
  });
  const findings = findingsOf(disturbed.rounds);
  console.log(`${disturbed.rounds.length} rounds, ${rounds} of each fault; ${findings.length} findings`);
  if (findings.length > 0) throw new Error('a guarantee is broken');
}
