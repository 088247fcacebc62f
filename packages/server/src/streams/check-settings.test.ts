import fc from 'fast-check';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { mergeSettings, type StreamSettingsChange } from './check-settings.js';
import { fromSettings, SettingsInput, toSettings } from './routes/settings.js';
import { defaultStreamSettings, readStreamSettings } from './stream-settings.js';

const merge = (change: object) => mergeSettings(defaultStreamSettings, change);
const square = [
  [0, 0],
  [1, 0],
  [1, 1],
] as [number, number][];
const zone = (name: string, polygon = square) => ({ name, polygon, classes: [] });

test.each<[object, RegExp]>([
  [{ fps: 0 }, /settings\.fps/],
  [{ fps: Number.NaN }, /settings\.fps/],
  [{ maxWidth: 99_999 }, /settings\.max_width/],
  [{ parts: [] }, /settings\.parts/],
  [{ zones: [zone('a'), zone(' A ')] }, /settings\.zones\[1\]\.name must differ/],
  [{ zones: [zone('a\nb')] }, /settings\.zones\[0\]\.name/],
  [
    {
      zones: [
        zone('a', [
          [0, 0],
          [1, 1],
          [1, 0],
          [0, 1],
        ]),
      ],
    },
    /settings\.zones\[0\]\.polygon must enclose/,
  ],
  [
    {
      zones: [
        zone('a', [
          [0, 0],
          [2, 1],
          [1, 0],
        ]),
      ],
    },
    /settings\.zones\[0\]\.polygon\[1\]\[0\]/,
  ],
  [
    {
      masks: [
        [
          [0, 0],
          [1, 1],
          [0.5, 0.5],
        ],
      ],
    },
    /settings\.masks\[0\] must enclose/,
  ],
  [{ timeZone: 'Mars/Olympus' }, /settings\.time_zone must be a time zone/],
  [{ schedule: [{ days: [7], from: '00:00', to: '01:00' }] }, /settings\.schedule\[0\]\.days\[0\]/],
  [{ schedule: [{ days: [1], from: '24:00', to: '01:00' }] }, /settings\.schedule\[0\]\.from/],
  [{ keepDays: 0 }, /settings\.keep_days/],
  [{ unknown: 1 }, /settings/],
])('%j is refused, naming the field', (change, message) => {
  expect(() => merge(change)).toThrow(message);
});

test('what is left out stays as it is', () => {
  const first = merge({ fps: 2, zones: [zone('door')] });
  expect(mergeSettings(first, { maxWidth: 640 })).toEqual({ ...first, maxWidth: 640 });
});

const text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const label = text;
const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const time = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
/** A circle, which is simple. */
const polygon = fc
  .tuple(fc.integer({ min: 3, max: 64 }), fc.double({ min: 0.05, max: 0.5, noNaN: true }))
  .map(([count, radius]) =>
    Array.from({ length: count }, (_, at): [number, number] => [
      0.5 + radius * Math.cos((at / count) * 2 * Math.PI),
      0.5 + radius * Math.sin((at / count) * 2 * Math.PI),
    ]),
  );
const settings: fc.Arbitrary<StreamSettingsChange> = fc.record(
  {
    fps: fc.double({ min: 0.1, max: 15, noNaN: true }),
    keyFramesOnly: fc.boolean(),
    maxWidth: fc.integer({ min: 320, max: 3840 }),
    modelReference: fc.option(fc.string({ minLength: 1, maxLength: 100 })),
    parts: fc.uniqueArray(fc.constantFrom('classes', 'objects', 'texts', 'faces'), { minLength: 1 }),
    namesPeople: fc.boolean(),
    perceptionId: fc.option(fc.integer({ min: 1 })),
    classes: fc.array(fc.record({ label, minScore: fraction, minArea: fraction }), { maxLength: 5 }),
    minScore: fraction,
    zones: fc.uniqueArray(
      fc.record({
        name: fc.stringMatching(/^[a-zäé日0-9]{1,20}$/),
        polygon,
        classes: fc.array(label, { maxLength: 3 }),
      }),
      { maxLength: 4, selector: ({ name }) => name.normalize('NFKC').toLowerCase() },
    ),
    masks: fc.array(polygon, { maxLength: 3 }),
    motionGate: fc.boolean(),
    motionMinArea: fraction,
    stationaryAfterSeconds: fc.integer({ min: 1, max: 3600 }),
    schedule: fc.array(
      fc.record({ days: fc.uniqueArray(fc.nat(6), { minLength: 1 }), from: time, to: time }),
      { maxLength: 5 },
    ),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns'),
    snapshots: fc.boolean(),
    clips: fc.boolean(),
    clipSecondsBefore: fc.nat(30),
    clipSecondsAfter: fc.nat(60),
    clipMaxSeconds: fc.integer({ min: 5, max: 600 }),
    keepDays: fc.option(fc.integer({ min: 1, max: 3650 })),
  },
  { requiredKeys: [] },
);

test('any settings are the same after they were kept, shown and sent again', () => {
  fc.assert(
    fc.property(settings, (change) => {
      const merged = merge(change);
      expect(merged).toEqual({ ...defaultStreamSettings, ...change });
      expect(readStreamSettings(JSON.stringify(merged))).toEqual(merged);
      const sent: unknown = JSON.parse(JSON.stringify(toSettings(merged)));
      expect(Value.Check(SettingsInput, sent)).toBe(true);
      expect(merge(fromSettings(Value.Parse(SettingsInput, sent)))).toEqual(merged);
    }),
    { numRuns: 300 },
  );
});

test('the largest settings are read quickly, since lists of streams read those of each', () => {
  const polygon = Array.from({ length: 64 }, (_, at): [number, number] => {
    const angle = (at / 64) * 2 * Math.PI;
    return [0.5 + 0.4 * Math.cos(angle), 0.5 + 0.4 * Math.sin(angle)];
  });
  const zones = Array.from({ length: 32 }, (_, at) => zone(`zone ${at}`, polygon));
  const settings = merge({ zones, masks: Array.from({ length: 32 }, () => polygon) });
  const text = JSON.stringify(settings);
  const before = process.cpuUsage();
  for (let count = 0; count < 100; count += 1) readStreamSettings(text);
  // Without a compiled check it is more than a second.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(700);
  expect(readStreamSettings(text)).toEqual(settings);
});
