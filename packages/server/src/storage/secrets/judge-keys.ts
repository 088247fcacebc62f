import { type RawBuilder, sql } from 'kysely';
import type { KeyState } from './key-check.js';
import type { RingChecks } from './key-ring.js';

/** Whether a service with these keys fits the database. */
export type KeyVerdict =
  | 'good'
  /** Its sealing key is new, and it opens what is sealed: a replacement of the key may begin with it. */
  | 'new-key'
  /** It does not have the key with which the database is sealed. */
  | 'wrong'
  /** It does not have the key before, with which values may be sealed still. */
  | 'lacks-previous'
  /** It would seal with the key before, and everything is sealed with the new one by now. */
  | 'late'
  /** It would begin another replacement before the first one has ended. */
  | 'unfinished';

export function judgeKeys(state: KeyState, checks: RingChecks): KeyVerdict {
  const [sealing] = checks;
  if (!checks.includes(state.current)) return 'wrong';
  if (state.previous !== null && !checks.includes(state.previous)) return 'lacks-previous';
  if (sealing === state.current) return 'good';
  if (state.previous === null) return sealing === state.retired ? 'late' : 'new-key';
  if (sealing !== state.previous) return 'unfinished';
  return state.isResealing ? 'late' : 'good';
}

/** The same as SQL on the row of `installation_key`: whether the verdict is good. */
export function areKeysGood(checks: RingChecks): RawBuilder<boolean> {
  const any = sql.join(checks.map((check) => sql`${check}`));
  return sql<boolean>`(check_value in (${any}) and (previous_check is null or previous_check in (${any}))
    and ${maySealWith(checks[0])})`;
}

/** Whether a value that this key sealed is found by whoever re-seals. */
function maySealWith(check: string): RawBuilder<boolean> {
  return sql<boolean>`(check_value = ${check} or (previous_check = ${check} and is_resealing = 0))`;
}
