import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { confineSharp } from './confine-sharp.js';
import { findDamage } from './jpeg-damage.js';
import { openImage } from './open-image.js';

beforeAll(confineSharp);

const open = (bytes: Uint8Array, refuseDamage: boolean) =>
  openImage({ kind: 'bytes', bytes }, { limits: { maxPixels: 1_000_000, refuseDamage }, detailPx: 256 }).then(
    () => 'opened',
    (error: unknown) => String(error),
  );

const segment = (marker: number, ...data: readonly (Buffer | number)[]) => {
  const content = Buffer.concat(data.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));
  return Buffer.concat([Buffer.from([0xff, marker, 0, content.length + 2]), content]);
};
/** A table with the code 0 alone. */
const tableOf = (id: number, value: number) => segment(0xc4, id, 1, Buffer.alloc(15), value);
/** The longest run of blocks without a coefficient. */
const runOf14 = tableOf(0x10, 0xe0);

/** A grey square; each scan has the same data. @param scans first and last coefficient, and bits, of each */
function progressive(
  side: number,
  scans: readonly (readonly number[])[],
  data: Buffer,
  interval = 0,
  ac = 0,
) {
  const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xc2, 8, u16(side), u16(side), 1, 1, 0x11, 0),
    tableOf(0, 0),
    tableOf(0x10, ac),
    segment(0xdd, u16(interval)),
    ...scans.flatMap((scan) => [segment(0xda, 1, 1, 0, Buffer.from(scan)), data]),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function timed(bytes: Buffer) {
  const before = process.cpuUsage();
  const damage = findDamage(bytes);
  const { user, system } = process.cpuUsage(before);
  return { damage, seconds: (user + system) / 1e6 };
}

/** Waves that become finer, so that no part of the file is as another. */
function drawing() {
  const [width, height] = [480, 320];
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at += 1) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    data[at] = 128 + 60 * Math.sin((x * x) / 900 + y / 7) + 60 * Math.sin((y * y) / 700 + (at % 3) + x / 11);
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

const startOfScan = (bytes: Buffer) => bytes.indexOf('\xff\xda', 0, 'latin1') + 14;
const asText = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
const middleOf = (bytes: Buffer) => Math.floor(bytes.length / 2);
const withBlock = (bytes: Buffer, block: Buffer) => {
  const changed = Buffer.from(bytes);
  block.copy(changed, middleOf(bytes));
  return changed;
};

const damages: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'sent by FTP in ASCII mode': asText,
  'with carriage returns in its pixels': (bytes) =>
    Buffer.concat([bytes.subarray(0, startOfScan(bytes)), asText(bytes.subarray(startOfScan(bytes)))]),
  'without bit 7 in its pixels': (bytes) =>
    bytes.map((byte, at) => (at < middleOf(bytes) || at > bytes.length - 3 ? byte : byte & 127)) as Buffer,
  'with zeros for its second half': (bytes) => Buffer.from(bytes).fill(0, middleOf(bytes)),
  'with zeros for its second half, and its end': (bytes) =>
    Buffer.from(bytes).fill(0, middleOf(bytes), bytes.length - 2),
  'without its second half, and with its end': (bytes) =>
    Buffer.concat([bytes.subarray(0, middleOf(bytes)), Buffer.from([0xff, 0xd9])]),
  'with a text in its middle': (bytes) => withBlock(bytes, Buffer.alloc(4096, 'The quick brown fox. ')),
  'with the start of a file in its middle': (bytes) => withBlock(bytes, bytes.subarray(0, 4096)),
};

describe.each([false, true])('an image that is written to, progressive: %s', (progressive) => {
  test.each(Object.keys(damages))('is refused %s', async (damage) => {
    const bytes = await drawing().jpeg({ progressive }).toBuffer();
    const damaged = damages[damage]?.(bytes) ?? bytes;
    expect(await open(bytes, true)).toBe('opened');
    expect(await open(damaged, true)).toMatch(/the image is truncated or damaged/);
  });
});

describe('a progressive JPEG', () => {
  const forms = [
    { progressive: true },
    { progressive: true, quality: 98, chromaSubsampling: '4:4:4' },
    { progressive: true, optimiseCoding: false },
    { mozjpeg: true },
    { mozjpeg: true, quality: 30, trellisQuantisation: true, overshootDeringing: true },
  ];
  const kinds = {
    'in colours': (image: Sharp) => image,
    grey: (image: Sharp) => image.toColourspace('b-w'),
    'in CMYK': (image: Sharp) => image.toColourspace('cmyk'),
    'of an odd size': (image: Sharp) => image.resize(333, 217, { fit: 'fill' }),
    'of a few pixels': (image: Sharp) => image.resize(5, 7, { fit: 'fill' }),
    narrow: (image: Sharp) => image.resize(90, 1200, { fit: 'fill' }),
  };
  test.each(Object.entries(kinds))('that is sound has no damage: %s', async (_kind, change) => {
    for (const form of forms) {
      const bytes = await change(drawing()).jpeg(form).toBuffer();
      expect(findDamage(bytes).share).toBe(0);
      expect(await opened(bytes)).toEqual(bothOpened);
    }
  });

  test('is read in all of its scans: damage in the last of them is found', async () => {
    for (const form of forms) {
      const bytes = await drawing().jpeg(form).toBuffer();
      const scan = bytes.lastIndexOf('\xff\xda', undefined, 'latin1');
      const length = bytes.length - scan;
      const cut = Buffer.concat([bytes.subarray(0, scan + Math.floor(length / 2)), bytes.subarray(-2)]);
      expect(findDamage(cut).share).toBeGreaterThan(0.2);
    }
  });

  test('that has bits twice is not read further, and costs little', async () => {
    const bytes = await drawing().jpeg({ progressive: true }).toBuffer();
    const scan = segment(0xda, 1, 1, 1, 1, 63, 0);
    const many = Array.from({ length: 900 }, () => [runOf14, scan]).flat();
    const whole = Buffer.concat([bytes.subarray(0, -2), ...many, bytes.subarray(-2)]);
    const { damage, seconds } = timed(whole);
    expect(damage).toMatchObject({ share: 0, doubtful: 1 });
    expect(seconds).toBeLessThan(1);
  });

  test.each([
    ['its first scan of coefficients refines them', [[1, 63, 0x10]]],
    [
      'it leaves a bit out',
      [
        [1, 63, 0x03],
        [1, 63, 0x31],
      ],
    ],
    [
      'it reads a bit twice',
      [
        [1, 63, 0x01],
        [1, 63, 0x21],
      ],
    ],
    [
      'it reads coefficients twice',
      [
        [1, 9, 0x00],
        [9, 63, 0x00],
      ],
    ],
  ])('is not judged when %s', (_what, scans) => {
    const data = Buffer.from([0x7f]);
    expect(findDamage(progressive(8, [[0, 0, 0], ...scans], data))).toMatchObject({ share: 0, doubtful: 1 });
    expect(findDamage(progressive(8, [[0, 0, 0]], data))).toMatchObject({ share: 0, doubtful: 0 });
  });

  test('with a restart mark behind each block costs no more than one without', () => {
    const blocks = (3200 / 8) ** 2;
    const data = Buffer.alloc(
      3 * blocks,
      Buffer.from('7fffd07fffd17fffd27fffd37fffd47fffd57fffd67fffd7', 'hex'),
    );
    const scans = [
      [0, 0, 0x01],
      [0, 0, 0x10],
      [1, 63, 0x02],
      [1, 63, 0x21],
      [1, 63, 0x10],
    ];
    const { damage, seconds } = timed(progressive(3200, scans, data.subarray(0, -2), 1));
    expect(damage).toMatchObject({ share: 0, doubtful: 0 });
    expect(seconds).toBeLessThan(1.2);
  });

  test('of many dense scans is read only as far as three seconds allow', () => {
    const side = 8000;
    const zeros = Buffer.alloc((side / 8) ** 2 / 2);
    const dense = Array.from({ length: 63 }, (_, nth) => [nth + 1, nth + 1, 0]).flatMap(([at = 0]) =>
      [2, 0x21, 0x10].map((bits) => [at, at, bits]),
    );
    const { damage, seconds } = timed(progressive(side, [[0, 0, 0], ...dense], zeros, 0, 0xf0));
    expect(damage).toMatchObject({ share: 0, doubtful: 1 });
    expect(seconds).toBeLessThan(7);
  });

  test.each([1, 8, 9, 16, 24])('of %i pixels by 1200 has no rows below its height', async (width) => {
    for (const form of forms) {
      const bytes = await drawing().resize(width, 1200, { fit: 'fill' }).jpeg(form).toBuffer();
      expect(findDamage(bytes)).toMatchObject({ share: 0, doubtful: 0 });
    }
  });

  test('of which the header says a lower height is not judged', async () => {
    const bytes = await drawing().jpeg({ progressive: true }).toBuffer();
    bytes.writeUInt16BE(160, bytes.indexOf('\xff\xc2', 0, 'latin1') + 5);
    expect(findDamage(bytes)).toMatchObject({ share: 0, doubtful: 1 });
  });
});

test('any image is refused when it was sent by FTP in ASCII mode, or lacks half of its pixels', async () => {
  const bytes = await drawing().jpeg().toBuffer();
  for (const damage of ['sent by FTP in ASCII mode', 'without its second half, and with its end']) {
    expect(await open(damages[damage]?.(bytes) ?? bytes, false)).toMatch(/damaged, at least \d+ %/);
  }
});

describe.each([false, true])('is accepted with what harms no pixel, progressive: %s', (progressive) => {
  const segment = Buffer.from([0xff, 0xfe, 0, 9, ...Buffer.from('line\r\n\n')]);
  const at =
    (place: (bytes: Buffer) => number, ...inserted: readonly Buffer[]) =>
    (bytes: Buffer) =>
      Buffer.concat([bytes.subarray(0, place(bytes)), ...inserted, bytes.subarray(place(bytes))]);
  const end = (bytes: Buffer) => bytes.length;
  test.each([
    ['zeros before its end mark', at((bytes) => bytes.length - 2, Buffer.alloc(4096))],
    ['fill bytes before its end mark', at((bytes) => bytes.length - 2, Buffer.alloc(40, 0xff))],
    ['bytes before a marker', at((bytes) => bytes.indexOf('\xff\xc4', 0, 'latin1'), Buffer.alloc(100))],
    ['a comment', at(() => 2, segment)],
    ['bytes behind its end', at(end, Buffer.alloc(5000, 'SEFT'))],
    ['lines of text behind its end', at(end, Buffer.alloc(5000, '\r\n'))],
  ])('%s', async (_what, change) => {
    const bytes = change(await drawing().jpeg({ progressive }).toBuffer());
    expect([await open(bytes, false), await open(bytes, true)]).toEqual(['opened', 'opened']);
  });
});

const opened = async (bytes: Buffer) => [await open(bytes, false), await open(bytes, true)];
const bothOpened = ['opened', 'opened'];

describe.each([false, true])(
  'a sequential JPEG of which all pixels are there, optimised: %s',
  (optimiseCoding) => {
    const encode = (image = drawing()) => image.jpeg({ optimiseCoding }).toBuffer();
    const withoutEnd = (bytes: Buffer, rest: Buffer) => Buffer.concat([bytes.subarray(0, -2), rest]);
    const noise = Buffer.from(Array.from({ length: 300 }, (_, nth) => (nth * nth * 31 + nth * 7) % 251));
    const flat = () => sharp({ create: { width: 480, height: 320, channels: 3, background: '#246' } });

    test.each([
      ['zeros', Buffer.alloc(4096)],
      ['other bytes', noise],
    ])('is accepted with %s for its end mark', async (_what, rest) => {
      expect(await opened(withoutEnd(await encode(), rest))).toEqual(bothOpened);
    });
    test('is accepted with zeros before its end mark when it is of one colour', async () => {
      const rest = Buffer.concat([Buffer.alloc(4096), Buffer.from([0xff, 0xd9])]);
      expect(await opened(withoutEnd(await encode(flat()), rest))).toEqual(bothOpened);
    });
    // Other tables have a line feed among the pixels.
    test.runIf(optimiseCoding).each([
      ['\r\n', 17, 'damaged'],
      ['\r\n', 16, 'opened'],
      ['\n', 17, 'opened'],
    ])('with %j %i times in other bytes for its end mark: %s', async (lineEnd, count, outcome) => {
      const other = noise.map((byte) => (byte === 10 || byte === 13 ? 7 : byte));
      const lines = Array.from({ length: count }, (_, nth) => other.subarray(nth, nth + 17));
      const rest = lines.flatMap((line) => [line, Buffer.from(lineEnd)]);
      const bytes = await encode(flat());
      expect(bytes.subarray(startOfScan(bytes)).includes(10)).toBe(false);
      const damaged = withoutEnd(bytes, Buffer.concat(rest));
      expect(findDamage(damaged)).toMatchObject({ share: 0, doubtful: 1 });
      expect(await open(damaged, true)).toContain(outcome);
    });
    test.each([100, 160, 310])('is accepted when its header says that it is %i high', async (height) => {
      const bytes = await encode();
      bytes.writeUInt16BE(height, bytes.indexOf('\xff\xc0', 0, 'latin1') + 5);
      expect(await opened(bytes)).toEqual(bothOpened);
    });
    test('is refused with other bytes and line ends for its end mark', async () => {
      const bytes = asText(withoutEnd(await encode(), noise));
      expect(await open(bytes, true)).toContain('damaged');
    });
  },
);

describe.each([
  ['sequential', { progressive: false }],
  ['progressive', { progressive: true }],
])('a %s JPEG that is cut at its end', (_kind, options) => {
  const pixelsOf = async (bytes: Buffer) => {
    const image = await openImage(
      { kind: 'bytes', bytes },
      { limits: { maxPixels: 1_000_000 }, detailPx: 1024 },
    );
    return Buffer.from(await image.raster({ width: image.width, height: image.height }));
  };

  test.each([1, 2])('opens where only %i bytes of its end mark are missing', async (count) => {
    const bytes = await drawing().jpeg(options).toBuffer();
    expect(await opened(bytes.subarray(0, -count))).toEqual(bothOpened);
    expect((await pixelsOf(bytes.subarray(0, -count))).equals(await pixelsOf(bytes))).toBe(true);
  });

  test('is refused where bytes of its pixels are missing', async () => {
    const bytes = await drawing().jpeg(options).toBuffer();
    for (const count of [4, 5, 6, 7, 8, 9, 10, 40, 200, 1000]) {
      expect(await open(bytes.subarray(0, -count), true)).toContain('damaged');
      expect(await open(bytes.subarray(0, -count), false)).toContain('damaged');
    }
  });

  test('is refused where whole scans are missing, even if those before them are complete', async () => {
    const bytes = await drawing()
      .jpeg({ ...options, optimiseScans: true })
      .toBuffer();
    const starts: number[] = [];
    for (let at = bytes.indexOf('\xff\xda', 0, 'latin1'); at > 0; ) {
      starts.push(at);
      at = bytes.indexOf('\xff\xda', at + 1, 'latin1');
    }
    expect(starts.length).toBeGreaterThan(options.progressive ? 3 : 0);
    for (const start of starts.slice(1)) {
      // The table of the next scan precedes it.
      const table = bytes.lastIndexOf('\xff\xc4', start, 'latin1');
      const cut = bytes.subarray(0, table > (starts[0] ?? 0) ? table : start);
      expect(await opened(cut)).not.toContain('opened');
    }
  });
});

test('zeros for pixels are damage when they are more than the image needs', async () => {
  const data = Buffer.from(
    Array.from({ length: 256 * 256 }, (_, nth) => ((nth * nth * 31) ^ (nth * 77)) & 255),
  );
  const raw = { width: 256, height: 256, channels: 1 } as const;
  const bytes = await sharp(data, { raw })
    .toColourspace('b-w')
    .jpeg({ quality: 95, optimiseCoding: false })
    .toBuffer();
  expect(await open(bytes, true)).toBe('opened');
  expect(await open(bytes.fill(0, middleOf(bytes), bytes.length - 2), true)).toMatch(/at least [45]\d %/);
});

test('a small progressive JPEG is accepted with lines of text behind its end', async () => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#246' } });
  const bytes = await image.jpeg({ progressive: true }).toBuffer();
  expect(await opened(Buffer.concat([bytes, Buffer.alloc(100, '\r\n')]))).toEqual(bothOpened);
});

test.each([0, 1])('a JPEG is accepted whose colours have the id %i', async (id) => {
  const bytes = await drawing().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
  const frame = bytes.indexOf('\xff\xc0', 0, 'latin1');
  const scan = startOfScan(bytes) - 9;
  for (let nth = 0; nth < 3; nth += 1) {
    bytes[frame + 10 + 3 * nth] = id;
    bytes[scan + 2 * nth] = id;
  }
  expect(await opened(bytes)).toEqual(bothOpened);
});

test('a marker of a lossless JPEG behind the pixels is no reason to refuse one', async () => {
  const bytes = await drawing().jpeg().toBuffer();
  const marker = Buffer.from([0xff, 0xc3, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]);
  expect(await opened(Buffer.concat([bytes.subarray(0, -2), marker, bytes.subarray(-2)]))).toEqual(
    bothOpened,
  );
});

test('scans are not read that no decoder accepts, however many there are', async () => {
  const { jpeg, dataAt } = restarting();
  const head = jpeg.subarray(0, dataAt - 10);
  const scan = Buffer.concat([
    Buffer.from([0xff, 0xda, 2, 4, 255]),
    Buffer.alloc(510, Buffer.from([1, 0])),
    Buffer.from([0, 63, 0]),
  ]);
  const damage = findDamage(Buffer.concat([head, ...Array.from({ length: 950 }, () => scan)]));
  expect(damage).toMatchObject({ share: 0, doubtful: 1 });
});

test('a colour is read once, however many scans have it', () => {
  const { jpeg, dataAt } = restarting();
  const scan = jpeg.subarray(dataAt - 10, -2);
  const empty = scan.subarray(0, 10);
  const damage = findDamage(Buffer.concat([jpeg.subarray(0, dataAt - 10), scan, empty, empty]));
  expect(damage).toMatchObject({ share: 0, doubtful: 0 });
});

test('a JPEG without its last block is accepted', async () => {
  const [whole, shorter] = [restarting(), restarting(63)];
  expect([await open(whole.jpeg, true), await open(shorter.jpeg, true)]).toEqual(bothOpened);
});

describe('a JPEG with restart marks', () => {
  const { jpeg, dataAt } = restarting();
  const damagedIn = (count: number) =>
    Buffer.from(jpeg).map((byte, at) =>
      at >= dataAt && (at - dataAt) % 3 === 0 && (at - dataAt) / 3 < count ? 0xfe : byte,
    );

  test('is accepted when few of its parts are damaged, as the others are read from their marks', async () => {
    expect(await open(damagedIn(2), true)).toBe('opened');
  });
  test('is refused when many are', async () => {
    expect(await open(damagedIn(8), true)).toContain('damaged, at least 13 %');
  });
  test('is refused when a part with its mark is missing', async () => {
    const missing = Buffer.concat([jpeg.subarray(0, dataAt + 30), jpeg.subarray(dataAt + 33)]);
    expect(await open(missing, true)).toContain('damaged, at least 83 %');
  });
});

/** A grey image of 64 blocks of 8 x 8, of which so many are there, each a byte of data with a restart mark behind it. */
function restarting(count = 64): { jpeg: Buffer; dataAt: number } {
  const code = Buffer.from([1, ...Array.from({ length: 15 }, () => 0), 0]);
  const head = Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, Buffer.alloc(64, 1)),
    segment(0xc0, Buffer.from([8, 0, 64, 0, 64, 1, 1, 0x11, 0])),
    segment(0xc4, 0x00, code),
    segment(0xc4, 0x10, code),
    segment(0xdd, Buffer.from([0, 1])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  ]);
  // The codes of no difference and of the end of a block, and six bits of padding.
  const blocks = Array.from({ length: count }, (_, nth) => Buffer.from([0x3f, 0xff, 0xd0 + (nth & 7)]));
  const jpeg = Buffer.concat([head, ...blocks]);
  return { jpeg: jpeg.fill(0xd9, jpeg.length - 1), dataAt: head.length };
}
