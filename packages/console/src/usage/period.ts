/** The last so many days, today among them, in UTC as the service counts. */
export const periods = [7, 30, 90, 365] as const;
export type Period = (typeof periods)[number];

const dayMs = 86_400_000;

/** Every day of a period, the oldest first, such as `2026-01-31`. */
export function daysOf(period: number, nowMs: number): readonly string[] {
  return Array.from({ length: period }, (_, index) =>
    new Date(nowMs - (period - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}
