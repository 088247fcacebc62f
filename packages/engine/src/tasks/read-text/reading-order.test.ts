import { describe, expect, test } from 'vitest';
import { sortByReading } from './reading-order.js';
import { type Strip, turnStrip } from './strip.js';

function piece(name: string, left: number, top: number, width: number, height = 20) {
  return {
    name,
    strip: { centre: { x: left + width / 2, y: top + height / 2 }, width, height, angleRad: 0 },
  };
}
/** The same pieces after the page was turned about its corner. */
function turnedPage<T extends { strip: Strip }>(items: T[], angleRad: number): T[] {
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  return items.map((item) => {
    const { x, y } = item.strip.centre;
    const centre = { x: x * cos - y * sin, y: x * sin + y * cos };
    return { ...item, strip: { ...item.strip, centre, angleRad } };
  });
}
const orderOf = (items: { name: string; strip: Strip }[]) =>
  sortByReading(items)
    .map(({ name }) => name)
    .join(' ');

describe('the order of reading', () => {
  const form = [
    piece('Name', 10, 100, 60),
    piece('Ada', 200, 103, 50),
    piece('Born', 10, 140, 60),
    piece('1815', 200, 138, 50),
    piece('Form', 80, 20, 120, 40),
  ];

  test('is by lines from the top, in each from the left', () => {
    expect(orderOf(form)).toBe('Form Name Ada Born 1815');
  });

  test.each([90, 180, 270, 7, -12])(
    'is that of the text where the page is turned by %i degrees',
    (degrees) => {
      expect(orderOf(turnedPage(form, (degrees * Math.PI) / 180))).toBe('Form Name Ada Born 1815');
    },
  );

  test('takes columns of prose one after the other, with headings across them between', () => {
    const page = [
      piece('heading', 10, 0, 700, 30),
      ...[0, 1, 2, 3].flatMap((row) => [
        piece(`l${row}`, 10, 50 + 30 * row, 300),
        piece(`r${row}`, 400, 52 + 30 * row, 310),
      ]),
      piece('footer', 10, 200, 700),
    ];
    expect(orderOf(page)).toBe('heading l0 l1 l2 l3 r0 r1 r2 r3 footer');
  });

  test('takes the rows of a table as lines', () => {
    const table = [0, 1, 2, 3].flatMap((row) => [
      piece(`a${row}`, 10, 30 * row, 60),
      piece(`b${row}`, 200, 30 * row, 60),
    ]);
    expect(orderOf(table)).toBe('a0 b0 a1 b1 a2 b2 a3 b3');
  });

  test('follows a line that climbs', () => {
    const climbing = [0, 1, 2, 3, 4, 5].map((at) => piece(String(at), 100 * at, 200 - 8 * at, 90));
    expect(orderOf([...climbing].reverse())).toBe('0 1 2 3 4 5');
  });

  test('loses nothing, and is quick, with many pieces', () => {
    const many = Array.from({ length: 600 }, (_, at) =>
      piece(String(at), 10 + (at % 3) * 400, Math.floor(at / 3) * 30, 300),
    );
    const before = process.cpuUsage();
    expect(new Set(sortByReading(many)).size).toBe(600);
    // CPU time, since a busy machine delays everything.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });

  test('of nothing is nothing', () => {
    expect(sortByReading([])).toEqual([]);
    expect(turnStrip(piece('a', 0, 0, 10).strip, 0).angleRad).toBe(0);
  });
});
