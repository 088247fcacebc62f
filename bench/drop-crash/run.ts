import { requireRounds } from '../kill/rounds.js';
import { formatTable } from '../table.js';
import { dropProtocols } from './drop-client.js';
import { countOutcomes } from './drop-work.js';
import type { Fault } from './fault-schedule.js';
import { crashDuringUploads } from './rounds.js';

const clients = 3;
const faults: readonly Fault[] = ['refuse', 'hang', 'cut', 'cut-late', 'full'];
const outcomes = ['acknowledged', 'cut', 'unknown'] as const;

export interface DropCrashArguments {
  readonly rounds: number;
  readonly protocol: string;
}

/** Kills the service during uploads repeatedly; throws when something that was acknowledged is lost. */
export async function runDropCrash({ rounds, protocol: given }: DropCrashArguments): Promise<void> {
  const protocol = dropProtocols.find((each) => each === given);
  if (protocol === undefined) throw new Error(`--protocol must be one of ${dropProtocols.join(', ')}`);
  requireRounds(rounds);
  const log = (line: string) => console.log(line);
  const options = { rounds, clients, protocol, log, maxLifeMs: 8000, afterMs: 15_000 };
  const { ledger, drops, slowestStartMs, losses } = await crashDuringUploads(options);
  const sent = [...ledger.values()];
  const rows = drops.map(({ name, erred, received, failed, states }) => [
    name,
    ...outcomes.map(
      (wanted) => sent.filter(({ drop, outcome }) => drop === name && outcome === wanted).length,
    ),
    ...[received, failed, states.get('partial') ?? 0, states.get('held') ?? 0],
    faults.map((fault) => `${fault} ${erred.get(fault) ?? 0}`).join(', '),
  ]);
  const ended = ['arrived', 'failed', 'partial', 'held', 'remote server failed'];
  console.log(formatTable([['drop', ...outcomes, ...ended], ...rows.map((row) => row.map(String))]));
  for (const loss of losses) console.log(`LOST: ${loss}`);
  console.log(
    `${rounds} kills, ${countOutcomes(ledger)}, ${losses.length} things lost; the slowest start ${(slowestStartMs / 1000).toFixed(1)} s`,
  );
  if (losses.length > 0) throw new Error('something that was acknowledged is lost');
}
