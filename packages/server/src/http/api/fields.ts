import { type TSchema, Type } from 'typebox';
import { maxNameLength } from '../../accounts/names.js';
import { ServiceError } from '../../core/service-error.js';
import { trimmedText } from './trimmed-text.js';

/** Fields that several operations share. A description completes the sentence "NAME must be …". */

/** A number of ours: what a database column of ids holds and a JSON number holds exactly. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'a number' });

export const Name = trimmedText({
  minLength: 1,
  maxLength: maxNameLength,
  description: `a text of 1 to ${maxNameLength} characters, control characters not among them`,
});

export const FileId = Type.String({ pattern: '^[0-9a-f]{32}$', description: 'a fileid' });

/** In answers; always UTC with milliseconds. */
export const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
export const TimeOrNull = Type.Union([Time, Type.Null()]);

export const TimeInput = (text: string) =>
  Type.String({
    format: 'date-time',
    maxLength: 40,
    description: `a moment such as 2026-01-31T12:00:00Z (${text}); a + in its offset is %2B in an address`,
    examples: ['2026-01-31T12:00:00Z'],
  });

export const Day = (text: string) =>
  Type.String({
    format: 'date',
    description: `a day such as 2026-01-31, UTC (${text})`,
    examples: ['2026-01-31'],
  });

export const Operation = Type.String({
  pattern: '^[a-z0-9_.]{1,60}$',
  description: 'the name of an operation, such as v1.predict_image',
  examples: ['v1.predict_image'],
});

/** A schema that takes the named fields and no other. */
export function exactly<Fields extends Record<string, TSchema>>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function toTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : toTime(ms);
}

/** What a moment of four-digit years in UTC can be, and a day before it has a day before. */
const firstYear = 1970;
const endOfTimeMs = Date.UTC(9999, 11, 31);

/** Milliseconds since 1970. Throws `wrong_parameters` for a moment that does not exist, or that no answer could hold. */
export function fromTime(name: string, text: string): number {
  const ms = Date.parse(text);
  if (ms >= 0 && ms < endOfTimeMs) return ms;
  throw new ServiceError(
    'wrong_parameters',
    `${name} is not a moment between ${firstYear} and the end of 9999; a + in its offset is %2B in an address`,
  );
}

/** A day such as 2026-01-31, in UTC. Throws `wrong_parameters` likewise. */
export function fromDay(name: string, day: string): string {
  const ms = Date.parse(day);
  if (ms >= 0 && ms < endOfTimeMs) return day;
  throw new ServiceError('wrong_parameters', `${name} is not a day between ${firstYear} and the end of 9999`);
}
