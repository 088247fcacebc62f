import { buffer } from 'node:stream/consumers';
import { openZip } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../core/fixtures/cpu-between-turns.js';
import { writeZip, type ZipMember } from './write-zip.js';

async function* listed(members: readonly ZipMember[]) {
  yield* members;
}

async function readBack(zip: Buffer) {
  const opened = await openZip(zip, { maxEntries: 100_000 });
  const read: Record<string, string> = {};
  for await (const file of opened.files()) read[file.path] = (await buffer(file.read())).toString();
  opened.close();
  return read;
}

test('what is written comes back, compressed or stored, also empty and with letters of all kinds', async () => {
  const text = 'again and '.repeat(10_000);
  const member = (path: string, content: string, isCompressed: boolean) => ({
    path,
    content: [Buffer.from(content)],
    isCompressed,
  });
  const zip = await buffer(
    writeZip(
      listed([
        member('a/b.txt', text, false),
        member('ä/漢字.jpg', text, true),
        member('large.jpg', text.repeat(2), true),
        member('empty', '', true),
        member('c', '', false),
      ]),
    ),
  );
  expect(await readBack(zip)).toEqual({
    'a/b.txt': text,
    'ä/漢字.jpg': text,
    'large.jpg': text.repeat(2),
    empty: '',
    c: '',
  });
  expect(zip.length).toBeLessThan(3 * text.length + 5000);
  expect(await readBack(await buffer(writeZip(listed([]))))).toEqual({});
});

test('a zip of more entries than 16 bits count is written without blocking, and comes back', async () => {
  const entries = 70_000;
  const members = Array.from({ length: entries }, (_, index) => ({
    path: `images/image-${index}.jpg`,
    content: [Buffer.from(String(index))],
    isCompressed: true,
  }));
  let pieces: Uint8Array[] = [];
  const { most } = await mostCpuBetweenTurns(async () => {
    pieces = [];
    for await (const piece of writeZip(listed(members))) pieces.push(piece);
  });
  const zip = await openZip(Buffer.concat(pieces), { maxEntries: 100_000 });
  const paths: string[] = [];
  for await (const { path, sizeBytes } of zip.files()) paths.push(`${path} ${sizeBytes}`);
  expect(paths).toEqual(members.map(({ path, content }) => `${path} ${content[0]?.length}`));
  expect(most).toBeLessThan(20);
});

test.each([true, false])(
  'content that cannot be read breaks the zip off (isCompressed: %s)',
  async (isCompressed) => {
    const broken = new Error('EIO: i/o error, read');
    const content = (async function* () {
      yield Buffer.from('begin');
      throw broken;
    })();
    await expect(buffer(writeZip(listed([{ path: 'a', content, isCompressed }])))).rejects.toBe(broken);
  },
);
