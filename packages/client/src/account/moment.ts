/** A point in time; as text with its offset, such as `2026-01-31T12:00:00Z`. */
export type Moment = Date | string;

export function toMomentText(moment: Moment | undefined): string | undefined {
  return moment instanceof Date ? moment.toISOString() : moment;
}
