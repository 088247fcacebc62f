import type { ShownTimeline } from './shown-timeline.js';
import { timelineToCsv } from './to-csv.js';
import { timelineToJson } from './to-json.js';
import { timelineToVtt } from './to-vtt.js';

/** Forms in which a timeline is given away. */
export const timelineFormats: Readonly<
  Record<
    'json' | 'csv' | 'vtt',
    {
      readonly mediaType: string;
      readonly write: (timeline: ShownTimeline) => AsyncGenerator<string>;
    }
  >
> = {
  json: { mediaType: 'application/json; charset=utf-8', write: timelineToJson },
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', write: timelineToCsv },
  vtt: { mediaType: 'text/vtt; charset=utf-8', write: timelineToVtt },
};
