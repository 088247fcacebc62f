import { formatTable } from '../table.js';
import { countFates, killAmidUploads } from './rounds.js';
import type { Fault } from './weather.js';

const clients = 3;
const faults: readonly Fault[] = ['refuse', 'hang', 'cut', 'cut-late', 'full'];

/** The service killed amid uploads, again and again; throws when something that was acknowledged is lost. */
export async function runDropKills({ rounds }: { readonly rounds: number }): Promise<void> {
  if (!(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds must be a whole number above 0');
  const tell = (line: string) => console.log(line);
  const { ledger, drops, slowestStartMs, losses } = await killAmidUploads({
    ...{ rounds, clients, tell },
    ...{ maxLifeMs: 8000, afterMs: 15_000 },
  });
  const rows = drops.map(({ name, erred, received, failed, states }) => [
    name,
    ...[...ledger.values()].reduce(
      ([taken = 0, cut = 0, unknown = 0], { drop, fate }) =>
        drop === name
          ? [
              taken + Number(fate === 'acknowledged'),
              cut + Number(fate === 'cut'),
              unknown + Number(fate === 'unknown'),
            ]
          : [taken, cut, unknown],
      [0, 0, 0],
    ),
    ...[received, failed, states.get('partial') ?? 0, states.get('held') ?? 0],
    ...[faults.map((fault) => `${fault} ${erred.get(fault) ?? 0}`).join(', ')],
  ]);
  const heading = [
    'drop',
    'acknowledged',
    'cut',
    'unknown',
    'arrived',
    'failed',
    'partial',
    'held',
    'far side erred',
  ];
  console.log(formatTable([heading, ...rows.map((row) => row.map(String))]));
  for (const loss of losses) console.log(`LOST: ${loss}`);
  console.log(
    `${rounds} kills, ${countFates(ledger)}, ${losses.length} things lost; the slowest start ${(slowestStartMs / 1000).toFixed(1)} s`,
  );
  if (losses.length > 0) throw new Error('something that was acknowledged is lost');
}
