import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  haveExiftool,
  havePerl,
  type KeywordTrial,
  listByExiftool,
  startKeywordTrial,
  tagByExiftool,
} from './keyword-trial.js';

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

  test('Latin-1 that other programs wrote reads the same after UTF-8 stands beside it', async () => {
    const bytes = await tagged(
      '-IPTC:City=Besançon',
      '-IPTC:Keywords=Café',
      '-IPTC:Keywords=quay',
      '-IPTC:Urgency=3',
    );
    expect(bytes.includes(Buffer.from('Besançon', 'latin1'))).toBe(true);
    const { written, outputPath } = await trial.write('latin.jpg', bytes, ['日本', 'CAFÉ']);
    expect(written).toMatchObject({ keywords: ['Café', 'quay', '日本'], added: ['日本'] });
    expect(listByExiftool(outputPath, 'IPTC:CodedCharacterSet')).toEqual(['UTF8']);
    expect(listByExiftool(outputPath, 'IPTC:City')).toEqual(['Besançon']);
    expect(listByExiftool(outputPath, 'IPTC:Urgency#')).toEqual(['3']);
    expect(listByExiftool(outputPath, 'IPTC:Keywords')).toEqual(['Café', 'quay', '日本']);
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
