import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderCaptions } from './captions.js';

const share = ({ data }: { readonly data: Uint8Array }) =>
  data.filter((grey) => grey > 127).length / Math.max(1, data.length);

describe('captions', () => {
  test('are the same whether rendered together or alone, in every script', async () => {
    const texts = ['person 0.97', 'j', 'שלום', 'مرحبا 7', 'a שלום b', 'Ящик', '日本', 'x'.repeat(70)];
    const together = await renderCaptions(texts, 144);
    for (const [index, text] of texts.entries()) {
      const [alone] = await renderCaptions([text], 144);
      expect({ text, ...together[index] }).toEqual({ text, ...alone });
    }
  });

  test('of any number and of any text come in order, all of one height', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 40 }), async (texts) => {
        const marked = texts.flatMap((each, index) => [each, `${index % 10}`]);
        const captions = await renderCaptions(marked, 72);
        expect(captions.length).toBe(marked.length);
        const digits = captions.filter((_, index) => index % 2 === 1);
        const expected = await renderCaptions(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'], 72);
        expect(digits).toEqual(texts.map((_, index) => expected[index % 10]));
      }),
      { numRuns: 20 },
    );
  });

  test('are of one height and at their places without any font of the system', async () => {
    const captions = new URL('./captions.js', import.meta.url).href;
    const script = `
      import { renderCaptions } from ${JSON.stringify(captions)};
      const texts = ['！⺀', '0', '〡⅊', '1', '｡\u{16fe0}', '2', 'a 日本', 'ä', '🙂', 'שלום'];
      console.log(JSON.stringify((await renderCaptions(texts, 72)).map(({ width, height }) => [width, height])));`;
    const config = fileURLToPath(new URL('../../assets/fonts/fonts.conf', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, FONTCONFIG_FILE: config, NODE_OPTIONS: '' },
    });
    const sizes: [number, number][] = JSON.parse(stdout);
    expect(sizes).toHaveLength(10);
    for (const [width, height] of sizes) expect([width > 8, height]).toEqual([true, sizes[1]?.[1]]);
  });

  test('of hostile text are a line of it: markup, line breaks, controls, piled accents, endless text', async () => {
    const pile = `Z${'\u0301'.repeat(500)}`;
    const hostile = [
      '</span><b>&amp;',
      'a\nb\r\n\u2028c\0\x1b[31m',
      '\ud800',
      '\u202eabc',
      pile,
      'w'.repeat(100_000),
    ];
    const captions = await renderCaptions([...hostile, 'plain'], 72);
    expect(captions.map(({ height }) => height)).toEqual(captions.map(() => captions[0]?.height));
    expect(captions.at(-1)).toEqual((await renderCaptions(['plain'], 72))[0]);
    expect(captions[5]?.width).toBeLessThan(1200);
  });

  test('have letters of white on black, and room at both ends', async () => {
    const [caption] = await renderCaptions(['HHH'], 144);
    if (!caption) throw new Error('no caption');
    const column = (x: number) =>
      Array.from({ length: caption.height }, (_, y) => caption.data[y * caption.width + x] ?? 0);
    expect(Math.max(...column(0), ...column(caption.width - 1))).toBe(0);
    expect(share(caption)).toBeGreaterThan(0.1);
    expect(share(caption)).toBeLessThan(0.5);
    expect(caption.height).toBeLessThan(40);
  });
});
