import type { SeenFilter } from '@lynceus/client';

/** The filters of the list as they are in its address; null: every one. */
export interface TrackFilter {
  readonly stream: string | null;
  readonly label: string | null;
  readonly person: string | null;
  readonly zone: string | null;
  /** Days such as 2026-07-30 in the time zone of the reader, both of them included. */
  readonly from: string | null;
  readonly to: string | null;
}

export const filterNames = ['stream', 'label', 'person', 'zone', 'from', 'to'] as const;

/** Reads filters from an address. What cannot be one is left out. */
export function readFilter(params: URLSearchParams): TrackFilter {
  const value = (name: keyof TrackFilter, form: RegExp) => {
    const given = params.get(name)?.trim() ?? '';
    return form.test(given) ? given : null;
  };
  const id = /^[1-9]\d{0,14}$/;
  return {
    stream: value('stream', id),
    person: value('person', id),
    label: value('label', /^.{1,100}$/),
    zone: value('zone', /^.{1,60}$/),
    from: value('from', /^\d{4}-\d\d-\d\d$/),
    to: value('to', /^\d{4}-\d\d-\d\d$/),
  };
}

/** The same for the service: moments in the place of days. */
export function toSeenFilter({ stream, label, person, zone, from, to }: TrackFilter): SeenFilter {
  return {
    ...(stream === null ? {} : { streamId: Number(stream) }),
    ...(person === null ? {} : { personId: Number(person) }),
    ...(label === null ? {} : { label }),
    ...(zone === null ? {} : { zone }),
    ...momentOf('from', from, 0),
    ...momentOf('to', to, 1),
  };
}

/** The beginning of a day, or of one after it: days have 23 or 25 hours when clocks are changed. */
function momentOf(name: 'from' | 'to', day: string | null, later: number): SeenFilter {
  if (day === null) return {};
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moment = new Date(year, month - 1, date + later);
  return Number.isNaN(moment.getTime()) ? {} : { [name]: moment };
}

export function countFilters(filter: TrackFilter): number {
  return filterNames.filter((name) => filter[name] !== null).length;
}
