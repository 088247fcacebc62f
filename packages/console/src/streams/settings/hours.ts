import type { StreamSettings } from '@lynceus/client';

/** Times of some days of the week; those that end before they begin, or then, end on the next day. */
export type Hours = StreamSettings['schedule'][number];

/** As the service counts them, from Monday on. */
export const daysFromMonday = [1, 2, 3, 4, 5, 6, 0] as const;

export const usualHours: Hours = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };

/** The first day of 2023 was a Sunday. */
export function nameOfDay(day: number, language: string, style: 'short' | 'long'): string {
  const moment = new Date(Date.UTC(2023, 0, 1 + day));
  return moment.toLocaleDateString(language, { weekday: style, timeZone: 'UTC' });
}

/** Why times cannot be saved. */
export function faultOfHours({ days, from, to }: Hours): 'noDays' | 'noTime' | null {
  if (days.length === 0) return 'noDays';
  return isTime(from) && isTime(to) ? null : 'noTime';
}

export function endsNextDay({ from, to }: Pick<Hours, 'from' | 'to'>): boolean {
  return isTime(from) && isTime(to) && to <= from;
}

function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** All that the browser knows, and the chosen one. */
export function timeZones(chosen: string): readonly string[] {
  return [...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])];
}

export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
