import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { charset, city, iptcJpeg, iptcTexts, keyword, withAfcp } from './iptc-jpeg.js';
import {
  haveExiftool,
  havePerl,
  type KeywordTrial,
  listByExiftool,
  startKeywordTrial,
  tagByExiftool,
} from './keyword-trial.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
/** "Москва" and "Łódź". */
const encoded = {
  windows1251: Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0]),
  iso8859part2: Buffer.from([0xa3, 0xf3, 0x64, 0xbc]),
};
const keywordBytesOf = (text: Buffer) => Buffer.concat([Buffer.from([0x1c, 2, 25, 0, text.length]), text]);

const image = { create: { width: 8, height: 8, channels: 3, background: 'red' } } as const;

describe.skipIf(!havePerl || !haveExiftool)('IPTC in the encodings that are met with', () => {
  let trial: KeywordTrial;
  beforeAll(async () => {
    trial = await startKeywordTrial();
  });
  afterAll(() => trial.close());

  /** A JPEG with what exiftool's words put into it. */
  async function tagged(...args: readonly string[]): Promise<Buffer> {
    const path = await trial.put('tagged.jpg', await sharp(image).jpeg().toBuffer());
    tagByExiftool(path, ...args);
    return readFile(path);
  }

  /** Texts of other programs stay as they are, byte by byte, whatever is added. */
  async function writeBeside(bytes: Buffer, keywords: readonly string[]) {
    const { written, outputPath } = await trial.write('a.jpg', bytes, keywords);
    const output = await readFile(outputPath);
    for (const dataset of [25, 90]) {
      const before = iptcTexts(bytes, dataset);
      expect(iptcTexts(output, dataset).slice(0, before.length)).toEqual(before);
    }
    const marks = listByExiftool(outputPath, 'IPTC:CodedCharacterSet');
    const xmp = listByExiftool(outputPath, 'XMP-dc:Subject');
    return { written, outputPath, marks, xmp, keywordBytes: iptcTexts(output, 25) };
  }

  test('text that may be Latin-1 is left as it is, copied nowhere, and gets what Latin-1 can express beside it', async () => {
    const bytes = await iptcJpeg(keyword(latin1('Café')), keyword('quay'), city(latin1('Besançon')));
    const { written, marks, xmp, keywordBytes } = await writeBeside(bytes, ['日本', 'CAFÉ', 'boat', 'Fjörd']);
    expect(written).toMatchObject({
      keywords: ['Café', 'quay', 'boat', 'Fjörd', '日本'],
      added: ['日本', 'boat', 'Fjörd'],
    });
    expect(marks).toEqual([]);
    expect(xmp).toEqual(['quay', '日本', 'boat', 'Fjörd']);
    expect(keywordBytes.map((text) => text.toString('latin1'))).toEqual(['Café', 'quay', 'boat', 'Fjörd']);
  });

  test('Cyrillic of Windows-1251 is left as it is, and stands nowhere as Latin letters', async () => {
    const bytes = await iptcJpeg(keyword(encoded.windows1251), keyword('quay'));
    const { written, marks, xmp } = await writeBeside(bytes, ['boat']);
    expect(written.added).toEqual(['boat']);
    expect({ marks, xmp }).toEqual({ marks: [], xmp: ['quay', 'boat'] });
    const again = await trial.write(
      'b.jpg',
      await readFile((await writeBeside(bytes, ['boat'])).outputPath),
      ['boat'],
    );
    expect(again.written.outputs).toEqual([]);
  });

  test('XMP tells how IPTC beside it is encoded', async () => {
    const path = await trial.put('beside.jpg', await iptcJpeg(keyword(encoded.windows1251), keyword('quay')));
    tagByExiftool(path, '-XMP-dc:Subject=Москва', '-XMP-dc:Subject=quay');
    const { written, marks, xmp, keywordBytes } = await writeBeside(await readFile(path), [
      'boat',
      'мост',
      '日本',
    ]);
    expect(written.keywords).toEqual(['Москва', 'quay', 'boat', 'мост', '日本']);
    expect({ marks, xmp }).toEqual({ marks: [], xmp: ['Москва', 'quay', 'boat', 'мост', '日本'] });
    expect(keywordBytes.slice(2)).toEqual([Buffer.from('boat'), Buffer.from([0xec, 0xee, 0xf1, 0xf2])]);
  });

  test('a part of ISO 8859 that is declared stays declared, and is read and written by it', async () => {
    const bytes = await iptcJpeg(charset('\x1b-B'), keyword(encoded.iso8859part2), keyword('quay'));
    const { written, marks, xmp, keywordBytes } = await writeBeside(bytes, ['boat', 'żaba', 'Zürich']);
    expect(written.keywords).toEqual(['Łódź', 'quay', 'boat', 'żaba', 'Zürich']);
    expect(marks).toEqual(['ESC - B']);
    expect(xmp).toEqual(['Łódź', 'quay', 'boat', 'żaba', 'Zürich']);
    expect(keywordBytes.slice(3)).toEqual([Buffer.from([0xbf, 0x61, 0x62, 0x61]), latin1('Zürich')]);
  });

  test.each([
    ['\x1b-A', []],
    ['\x1b.A', []],
    [null, [city(latin1('Besançon'))]],
  ])('UTF-8 under %j garbles no XMP and is not repeated', async (mark, more) => {
    const marks = mark === null ? [] : [charset(mark)];
    const plain = await iptcJpeg(...marks, keyword('Zürich'), keyword('Genève'), ...more);
    const path = await trial.put('beside.jpg', plain);
    tagByExiftool(path, '-XMP-dc:Subject=Zürich', '-XMP-dc:Subject=Genève');
    const { written, xmp, keywordBytes } = await writeBeside(await readFile(path), ['boat', 'Ærø']);
    const all = ['Zürich', 'Genève', 'boat', 'Ærø'];
    expect(written.keywords).toEqual(all);
    expect(xmp).toEqual(all);
    expect(keywordBytes).toEqual(all.map((text) => Buffer.from(text)));
  });

  test.each([
    [
      'amid a character',
      [keyword('Zürich'), keyword(Buffer.from('Österreichische Ö').subarray(0, -1)), city('Besançon')],
    ],
    ['amid the only one', [keyword(Buffer.from('boathouse\xc3', 'latin1')), keyword('Čaj')]],
  ])('UTF-8 without a mark that is cut %s is UTF-8', async (_, datasets) => {
    const bytes = await iptcJpeg(...datasets);
    const plain = await writeBeside(bytes, ['boat']);
    expect(plain.marks).toEqual(['UTF8']);
    expect(plain.xmp.join()).not.toMatch(/Ã|Ä|�/);
    const accents = await writeBeside(bytes, ['Ærø']);
    expect(accents.marks).toEqual(['UTF8']);
    expect(accents.keywordBytes.at(-1)).toEqual(Buffer.from('Ærø'));
  });

  test('a mark for UTF-8 over other text is no reason to rewrite or copy that text', async () => {
    const bytes = await iptcJpeg(charset('\x1b%G'), keyword(latin1('Café')), keyword('quay'));
    const { xmp, marks } = await writeBeside(bytes, ['boat']);
    expect({ xmp, marks }).toEqual({ xmp: ['quay', 'boat'], marks: ['UTF8'] });
  });

  test('a mark behind the texts counts for them, though records out of order are against the standard', async () => {
    const bytes = await iptcJpeg(keyword('Zürich'), charset('\x1b%G'));
    const { written, xmp, keywordBytes } = await writeBeside(bytes, ['boat', 'Čaj']);
    expect(written.keywords).toEqual(['Zürich', 'boat', 'Čaj']);
    expect(xmp).toEqual(['Zürich', 'boat', 'Čaj']);
    expect(keywordBytes).toEqual([Buffer.from('Zürich'), Buffer.from('boat'), Buffer.from('Čaj')]);
  });

  test('keywords in a trailer of AFCP are kept, read and added to', async () => {
    for (const plain of [await iptcJpeg(), await iptcJpeg(keyword('quay'))]) {
      const bytes = withAfcp(plain, keyword('harbour'), keyword(latin1('Café')));
      const { written, outputPath } = await trial.write('afcp.jpg', bytes, ['boat']);
      expect(written).toMatchObject({ added: ['boat'] });
      expect(written.keywords).toEqual(expect.arrayContaining(['harbour', 'Café', 'boat']));
      const output = await readFile(outputPath);
      expect(output.subarray(output.indexOf('AXS!')).includes(keywordBytesOf(latin1('Café')))).toBe(true);
      expect(listByExiftool(outputPath, 'XMP-dc:Subject')).not.toContain('Café');
    }
  });

  test('UTF-8 that does not say that it is UTF-8 is taken for it', async () => {
    const bytes = await tagged(
      '-charset',
      'iptc=UTF8',
      '-IPTC:City=Besançon',
      '-IPTC:Keywords=Čaj',
      '-IPTC:Keywords=quay',
    );
    expect(bytes.includes(Buffer.from('Besançon', 'utf8'))).toBe(true);
    const { written, outputPath } = await trial.write('mute.jpg', bytes, ['tea', 'čaj']);
    expect(written).toMatchObject({ keywords: ['Čaj', 'quay', 'tea'], added: ['tea'] });
    expect(listByExiftool(outputPath, 'IPTC:City')).toEqual(['Besançon']);
    expect(listByExiftool(outputPath, 'IPTC:Keywords')).toEqual(['Čaj', 'quay', 'tea']);
  });

  test('a digest that fitted the IPTC fits it again, and one that did not is left', async () => {
    const fitting = await tagged('-IPTC:Keywords=quay', '-Photoshop:IPTCDigest=new');
    const { outputPath } = await trial.write('digest.jpg', fitting, ['boat']);
    expect(listByExiftool(outputPath, 'IPTCDigest')).toEqual(listByExiftool(outputPath, 'CurrentIPTCDigest'));
    const stale = 'd41d8cd98f00b204e9800998ecf8427f';
    const other = await tagged('-IPTC:Keywords=quay', `-Photoshop:IPTCDigest=${stale}`);
    const left = await trial.write('stale.jpg', other, ['boat']);
    expect(listByExiftool(left.outputPath, 'IPTCDigest')).toEqual([stale]);
  });

  test('a keyword too long for IPTC is cut there alone, and not taken for another one', async () => {
    const long = 'A keyword of another program that goes on for more than sixty-four bytes';
    const { written, outputPath } = await trial.write('long.jpg', await tagged(`-XMP-dc:Subject=${long}`), [
      'boat',
    ]);
    expect(written.keywords).toEqual([long, 'boat']);
    expect(listByExiftool(outputPath, 'IPTC:Keywords')).toEqual([
      'A keyword of another program that goes on for more than',
      'boat',
    ]);
    const again = await trial.write('again.jpg', await readFile(outputPath), ['boat']);
    expect(again.written).toMatchObject({ keywords: [long, 'boat'], outputs: [] });
  });
});
