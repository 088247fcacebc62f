import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plantedTrack } from '../fixtures/insert-video.js';
import { timelineFormats } from './formats.js';
import type { ShownTimeline, ShownTrack } from './shown-timeline.js';
import { toLines } from './to-csv.js';
import { toCueText, toVttTime } from './to-vtt.js';

/** Of characters that mean something to somebody. */
const oddText = fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n",;\'<>&/ aé０＝＋－＠\u2028\0\u{1f600}') });
const shown: ShownTrack = { ...plantedTrack, person: null };
const intervals = [{ startSeconds: 1, endSeconds: 2.5 }];

function timelineOf(tracks: readonly ShownTrack[]): ShownTimeline {
  return {
    video: { durationSeconds: 8, width: 640, height: 480, codec: 'h264', fps: 25 },
    isCut: true,
    people: [{ person: { id: 1001, name: 'Ada' }, intervals }],
    texts: [{ text: 'EXIT', intervals }],
    classes: [{ label: 'person', intervals }],
    imageClasses: [],
    tracks: (async function* () {
      yield* tracks;
    })(),
    close: () => undefined,
  };
}

async function write(format: keyof typeof timelineFormats, tracks: readonly ShownTrack[]): Promise<string> {
  let text = '';
  for await (const piece of timelineFormats[format].write(timelineOf(tracks))) text += piece;
  return text;
}

test('JSON has every field by its name on the wire, however many tracks there are', async () => {
  for (const count of [0, 1, 200, 201, 1000]) {
    const tracks = Array.from({ length: count }, (_, id) => ({ ...shown, id }));
    const json = JSON.parse(await write('json', tracks));
    expect(json.tracks).toHaveLength(count);
    expect(json).toMatchObject({
      is_cut: true,
      video: { duration_seconds: 8 },
      people: [{ person: { id: 1001, name: 'Ada' }, intervals: [{ start_seconds: 1, end_seconds: 2.5 }] }],
      texts: [{ text: 'EXIT' }],
      classes: [{ label: 'person' }],
      image_classes: [],
    });
  }
  const [track] = JSON.parse(await write('json', [shown])).tracks;
  expect(track).toEqual({
    ...{ id: 1, label: 'person', score: 0.9, start_seconds: 1, end_seconds: 4.5, best_seconds: 2 },
    box: { x_min: 10, y_min: 20, x_max: 110, y_max: 220 },
    ...{ person: null, texts: [], thumbnail: null },
  });
});

test('CSV has a line of names, a line for each track, and quotes what a reader would take apart', async () => {
  const person = { id: 1001, name: 'Ada "Countess", L.', score: 0.8 };
  const text = await write('csv', [{ ...shown, person, texts: ['A 1', 'B 2'], thumbnailId: 'x' }, shown]);
  expect(text).toBe(
    [
      'id,label,score,start_seconds,end_seconds,best_seconds,x_min,y_min,x_max,y_max,person_id,person,person_score,texts,thumbnail',
      '1,person,0.9,1,4.5,2,10,20,110,220,1001,"Ada ""Countess"", L.",0.8,"A 1\nB 2",x',
      '1,person,0.9,1,4.5,2,10,20,110,220,,,,,',
      '',
    ].join('\r\n'),
  );
});

test('a spreadsheet takes no text for a formula, and text is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(oddText, { minLength: 2, maxLength: 5 }), (row) => {
      const [read = []] = parse(toLines([row]), { relax_column_count: true }) as string[][];
      expect(read).toEqual(row.map((text) => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text)));
    }),
  );
});

test('WebVTT has a cue for each track, with its name or label and its texts', async () => {
  const person = { id: 1001, name: 'Ada & <Bob>', score: 0.8 };
  const late = { ...shown, id: 2, startSeconds: 3725.25, endSeconds: 3725.25, texts: ['a --> b', 'c\n\nd'] };
  expect(await write('vtt', [{ ...shown, person }, late])).toBe(
    `WEBVTT

1
00:00:01.000 --> 00:00:04.500
Ada &amp; &lt;Bob&gt;

2
01:02:05.250 --> 01:02:05.750
person
a --&gt; b
c d
`,
  );
});

test.each([
  [0, '00:00:00.000'],
  [0.0004, '00:00:00.000'],
  [59.9996, '00:01:00.000'],
  [3599.999, '00:59:59.999'],
  [3600, '01:00:00.000'],
  [86_399.5, '23:59:59.500'],
  [360_000, '100:00:00.000'],
])('%d seconds are %s', (seconds, text) => {
  expect(toVttTime(seconds)).toBe(text);
});

test('no text ends a cue or begins a tag, whatever was read', () => {
  fc.assert(
    fc.property(oddText, (text) => {
      const line = toCueText(text);
      expect(line).not.toMatch(/[\r\n<>]/);
      expect(line.trim()).not.toBe('');
    }),
  );
});

test('times of cues go up with seconds', () => {
  const seconds = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(seconds, seconds, (a, b) => {
      const toMs = (text: string) => {
        const [hours = 0, minutes = 0, rest = 0] = text.split(':').map(Number);
        expect([minutes < 60, rest < 60]).toEqual([true, true]);
        return Math.round((hours * 3600 + minutes * 60 + rest) * 1000);
      };
      expect(toMs(toVttTime(a))).toBe(Math.round(a * 1000));
      expect(toMs(toVttTime(a)) <= toMs(toVttTime(b))).toBe(Math.round(a * 1000) <= Math.round(b * 1000));
    }),
  );
});
