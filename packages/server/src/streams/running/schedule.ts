import type { StreamSettings } from '../stream-settings.js';

/** Whether a stream runs at a moment, in milliseconds since 1970. */
type IsOnSchedule = (atMs: number) => boolean;

type Hours = StreamSettings['schedule'][number];

const dayMinutes = 24 * 60;
const weekDays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/**
 * By the clock on the wall of the time zone: an hour that the change to summer time leaves out is in no hours, one that the change
 * back repeats is in the same hours twice. Hours whose end is not after their beginning end on the next day. None: always.
 * @throws RangeError for a time zone that there is not
 */
export function createSchedule({
  schedule,
  timeZone,
}: Pick<StreamSettings, 'schedule' | 'timeZone'>): IsOnSchedule {
  if (schedule.length === 0) return () => true;
  const readWall = createWallClock(timeZone);
  return (atMs) => {
    const { day, minute } = readWall(atMs);
    return schedule.some((hours) => isWithin(hours, day, minute));
  };
}

function isWithin({ days, from, to }: Hours, day: number, minute: number): boolean {
  const [begin, end] = [minuteOf(from), minuteOf(to)];
  if (begin < end) return days.includes(day) && begin <= minute && minute < end;
  const dayBefore = (day + 6) % 7;
  return (days.includes(day) && begin <= minute) || (days.includes(dayBefore) && minute < end);
}

/** Of a time such as `07:30`: minutes since midnight. */
function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

/** Day of the week, 0 for Sunday, and minute of the day in a time zone. */
function createWallClock(
  timeZone: string,
): (atMs: number) => { readonly day: number; readonly minute: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (atMs) => {
    const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    return {
      day: weekDays.indexOf(parts.get('weekday') ?? ''),
      minute: (Number(parts.get('hour')) * 60 + Number(parts.get('minute'))) % dayMinutes,
    };
  };
}
