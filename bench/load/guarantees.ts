import type { Kind } from './kind.js';
import type { LoadReport } from './load.js';
import type { Segment } from './tally.js';

export interface Guarantee {
  readonly guarantee: string;
  readonly kept: boolean;
  readonly figures: string;
}

export interface Bounds {
  /** Memory of the last quarter over that of the second. */
  readonly maxGrowth: number;
  readonly maxDelayP99Ms: number;
  /** Memory of the serving process after slow clients over that before. */
  readonly maxServingGrowth: number;
  /** Median times with slow clients over those without. */
  readonly maxSlowdown: number;
  /** Requests whose time may run out; none unless given. In a short run a request has seconds, and its client waits for a core. */
  readonly maxTimedOut?: number;
}

const maxFilesLeft = 64;

/** Checks the guarantees of a run. */
export function judgeLoad(report: LoadReport, bounds: Bounds): readonly Guarantee[] {
  return [
    everyAnswerIsDocumented(report, bounds.maxTimedOut ?? 0),
    everyKindIsAnswered(report),
    memoryStays(report, bounds.maxGrowth),
    loopIsFree(report, bounds.maxDelayP99Ms),
    slowClientsBlockNoOther(report, bounds.maxSlowdown),
    slowClientsAreClosed(report),
    slowClientsLeaveNothing(report, bounds.maxServingGrowth),
    callsAreCounted(report),
  ];
}

function everyAnswerIsDocumented({ tally }: LoadReport, maxTimedOut: number): Guarantee {
  const undocumented = tally.rows().filter((row) => !row.isDocumented);
  const timedOut = undocumented.filter(({ outcome }) => outcome === '408 request_timeout');
  const isFew = timedOut.reduce((sum, { times }) => sum + times, 0) <= maxTimedOut;
  const bad = isFew ? undocumented.filter((row) => !timedOut.includes(row)) : undocumented;
  const outcome = bad.map(({ kind, outcome, times }) => `${kind.name}: ${outcome} (${times})`).join('; ');
  return {
    guarantee: 'every answer is documented for its request',
    kept: bad.length === 0,
    figures: bad.length === 0 ? `${tally.answered} answers` : outcome,
  };
}

function everyKindIsAnswered({ kinds, tally }: LoadReport): Guarantee {
  const heard = new Set(
    tally.rows().flatMap(({ kind, outcome }) => (outcome === kind.answers[0] ? [kind] : [])),
  );
  const missing = kinds.filter((kind) => !heard.has(kind)).map((kind) => `${kind.name}: ${kind.answers[0]}`);
  return {
    guarantee: 'every kind of request got its regular answer',
    kept: missing.length === 0,
    figures: missing.length === 0 ? `${kinds.length} kinds` : `never heard: ${missing.join('; ')}`,
  };
}

function memoryStays({ quarterBytes }: LoadReport, maxGrowth: number): Guarantee {
  const growth = (quarterBytes[3] ?? Number.NaN) / (quarterBytes[1] ?? Number.NaN);
  const mib = quarterBytes.map((bytes) => Math.round(bytes / 2 ** 20)).join(', ');
  return {
    guarantee: `memory of the last quarter is at most ${maxGrowth} of the second`,
    kept: growth <= maxGrowth,
    figures: `${growth.toFixed(3)}; MiB by quarter ${mib}`,
  };
}

function loopIsFree({ stretches }: LoadReport, maxMs: number): Guarantee {
  const p99s = stretches.map(({ delay }) => delay.p99Ms);
  const longest = Math.max(...stretches.map(({ delay }) => delay.maxMs));
  const waited = stretches.map(({ waitShare }) => `${(100 * waitShare).toFixed(1)} %`).join(', ');
  return {
    guarantee: `event-loop delay p99 is under ${maxMs} ms in every stretch`,
    kept: p99s.every((ms) => ms < maxMs),
    figures: `${p99s.map((ms) => ms.toFixed(1)).join(', ')}; longest ${longest.toFixed(0)} ms; waited for a core ${waited} of the time`,
  };
}

function slowClientsBlockNoOther({ kinds, tally }: LoadReport, maxSlowdown: number): Guarantee {
  const timed = kinds.filter((kind) => kind.isTimed);
  const slowdowns = timed.map((kind) => ({
    kind,
    alone: medianOf(tally.timesOf(kind, 'alone')),
    beside: medianOf(tally.timesOf(kind, 'with slow clients')),
  }));
  return {
    guarantee: `slow clients make others at most ${maxSlowdown} times slower`,
    kept: slowdowns.every(({ alone, beside }) => beside / alone <= maxSlowdown),
    figures: slowdowns
      .map(({ kind, alone, beside }) => `${kind.name}: ${ratio(alone, beside)}, p95 ${p95s(tally, kind)}`)
      .join('; '),
  };
}

function p95s(tally: LoadReport['tally'], kind: Kind): string {
  const p95 = (segment: Segment) => quantile(tally.timesOf(kind, segment), 0.95);
  return ratio(p95('alone'), p95('with slow clients'));
}

function ratio(alone: number, beside: number): string {
  return `${(beside / alone).toFixed(2)} (${alone.toFixed(0)} to ${beside.toFixed(0)} ms)`;
}

function slowClientsAreClosed({ slow }: LoadReport): Guarantee {
  const manners = Object.entries(slow.ends);
  return {
    guarantee: 'slow clients are closed in time, whatever they do slowly',
    kept: slow.overdue === 0 && manners.every(([, { times }]) => times > 0),
    figures: `${slow.overdue} overdue; ${manners
      .map(
        ([manner, { times, longestMs, said }]) =>
          `${manner}: ${times} closed, the last after ${(longestMs / 1000).toFixed(1)} s, ${Object.keys(said).join(' or ')}`,
      )
      .join('; ')}`,
  };
}

function slowClientsLeaveNothing({ stretches }: LoadReport, maxGrowth: number): Guarantee {
  const alone = stretches.filter(({ segment }) => segment === 'alone');
  // The first stretch of all still grows by what is loaded and compiled.
  const [first, last] = [alone.at(alone.length > 2 ? 1 : 0), alone.at(-1)];
  const growth = (last?.servingBytes ?? Number.NaN) / (first?.servingBytes ?? Number.NaN);
  const files = stretches.map(({ openFiles }) => openFiles);
  const left = (last?.openFiles ?? Number.NaN) - (first?.openFiles ?? Number.NaN);
  const mib = stretches.map(({ servingBytes }) => Math.round(servingBytes / 2 ** 20)).join(', ');
  return {
    guarantee: 'resources of slow clients are released',
    kept: growth <= maxGrowth && left <= maxFilesLeft,
    figures: `serving process, MiB by stretch ${mib}; open files ${files.join(', ')}`,
  };
}

function callsAreCounted({ tally, counted }: LoadReport): Guarantee {
  const { key, fickle } = tally.counted;
  const isBetween = counted.fickle >= fickle && counted.fickle <= tally.fickleSent;
  return {
    guarantee: 'the calls counted are those that were answered',
    kept: counted.key === key && isBetween,
    figures:
      `${counted.key} counted of ${key} answered; with the key of those who give up ` +
      `${counted.fickle} counted, ${fickle} answered, ${tally.fickleSent} sent`,
  };
}

function medianOf(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
}
