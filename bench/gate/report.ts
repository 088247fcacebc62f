import { formatTable } from '../table.js';
import type { KnownRatios } from './baseline.js';
import { boundsOf, type Judged, judge } from './judge.js';

const heading = ['ratio', 'now', 'baseline', 'bounds', 'verdict'];

/**
 * Prints each ratio beside the baseline of the CPU class.
 * @param known Undefined: the class has none, which is no failure.
 * @throws Error that names the ratios that are worse than their bounds.
 */
export function reportVerdict(
  cpuClass: string,
  measured: ReadonlyMap<string, number>,
  known: KnownRatios | undefined,
  print: (text: string) => void = console.log,
): void {
  const judged = judge(measured, known);
  print(`CPU class ${cpuClass}; more is better\n${formatTable([heading, ...judged.map(toRow)])}`);
  if (known === undefined) {
    print(`The class ${cpuClass} has no baseline yet: gate --data DIR --write makes one.`);
  }
  const worse = judged.filter(({ verdict }) => verdict === 'worse');
  if (worse.length > 0) {
    throw new Error(`gate: worse than the baseline: ${worse.map(({ name }) => name).join('; ')}`);
  }
}

function toRow({ name, now, known, verdict }: Judged): string[] {
  const bounds = known && boundsOf(known);
  return [
    name,
    now?.toFixed(3) ?? '',
    known?.median.toFixed(3) ?? '',
    bounds ? `${bounds.low.toFixed(3)} to ${bounds.high.toFixed(3)}` : '',
    verdict,
  ];
}
