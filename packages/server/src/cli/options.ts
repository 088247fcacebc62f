import { InvalidArgumentError } from 'commander';

/** A day counts to its end. */
export function parseExpiry(text: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = isDay || isMoment ? Date.parse(text) : Number.NaN;
  // Date.parse takes the 31st of a shorter month for the first of the next.
  const isReal = !Number.isNaN(time) && (!isDay || new Date(time).toISOString().startsWith(text));
  if (!isReal)
    throw new InvalidArgumentError('Give a day such as 2027-01-31 or a time such as 2027-01-31T12:00Z.');
  const expiresAt = isDay ? time + 86_400_000 : time;
  if (expiresAt <= Date.now()) throw new InvalidArgumentError('It is in the past.');
  return expiresAt;
}

/** What `--calls` may be; not null, which commander takes for an option without a value. */
export type Calls = number | 'unlimited';

export function parseCalls(text: string): Calls {
  return text === 'unlimited' ? text : parseWhole(text, Number.MAX_SAFE_INTEGER, ', or unlimited');
}

/** Null: no limit. Absent: not said. */
export function callLimitOf(calls: Calls | undefined): number | null | undefined {
  return calls === 'unlimited' ? null : calls;
}

/** Days for which results are kept: at most a hundred years. */
export function parseDays(text: string): number {
  return parseWhole(text, 36_500, '');
}

function parseWhole(text: string, max: number, orElse: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max)) throw new InvalidArgumentError(`Give a whole number from 0 to ${max}${orElse}.`);
  return value;
}
