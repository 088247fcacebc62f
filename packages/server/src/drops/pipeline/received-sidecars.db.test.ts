import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exiftoolPath } from 'exiftool-vendored';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DropFolders } from '../drop-folders.js';
import { blackBmp } from '../fixtures/black-bmp.js';
import { openWorkingDrop, type WorkingDrop } from '../fixtures/working-drop.js';

let service: WorkingDrop;
beforeAll(async () => {
  service = await openWorkingDrop();
});
afterAll(() => service.close());

// Its keywords go into a sidecar, as those of a raw file do, under any name.
const image = blackBmp(8, 8);

function sidecar(rating: number): Buffer {
  return Buffer.from(
    `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="${rating}" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>wedding</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  );
}

async function send(folders: DropFolders, name: string, content: Uint8Array): Promise<void> {
  const upload = await folders.receive(['incoming', name], { at: 'begin' });
  await upload.write(content);
  await upload.finish();
}

/** Sends files while nothing is worked on, so that they are all there at once. */
async function sendAll(folders: DropFolders, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  await service.stopWork();
  for (const [name, content] of Object.entries(files)) await send(folders, name, content);
  await service.startWork();
}

async function metadataOf(path: string): Promise<{ Rating?: number; Subject?: unknown }> {
  const args = ['-j', '-XMP-xmp:Rating', '-XMP-dc:Subject', path];
  const { stdout } = await promisify(execFile)('perl', [await exiftoolPath(), ...args]);
  const { SourceFile: _, ...tags } = JSON.parse(stdout)[0];
  return tags;
}

async function sentNames(stem: string): Promise<readonly string[]> {
  return (await readdir(service.target)).filter((name) => name.startsWith(stem)).sort();
}

const united = {
  Rating: 4,
  Subject: ['wedding', 'dog', 'cat', 'malamute', 'open', 'Bäckerei "Öz"'],
};

test.each([
  ['plain.xmp', 'plain.CR2', 'plain.xmp'],
  ['first.CR2', 'first.xmp', 'first.xmp'],
  ['upper.CR2', 'upper.XMP', 'upper.xmp'],
  ['full.CR2.xmp', 'full.CR2', 'full.CR2.xmp'],
  ['negative.DNG', 'negative.xmp', 'negative.xmp'],
])(
  'a sidecar of an image, %s before %s, gets the keywords, keeps all else, and is delivered beside it',
  async (first, second, sentName) => {
    const { drop, folders } = await service.makeDrop();
    const names = [first, second];
    const name = names.find((each) => !/xmp$/i.test(each)) ?? '';
    const contents = names.map((each) => [each, each === name ? image : sidecar(4)] as const);
    await sendAll(folders, Object.fromEntries(contents));
    const rows = await service.settled(drop.id);
    expect(rows.map((row) => [row.name, row.state]).sort()).toEqual([
      [name, 'done'],
      [sentName, 'done'],
    ]);
    expect(await sentNames(name.replace(/\..*/, ''))).toEqual([name, sentName].sort());
    expect(await metadataOf(join(service.target, sentName))).toEqual(united);
    const events = await service.store.files.history(rows.find((row) => row.name === name)?.id ?? '');
    const cameAs = names.find((each) => each !== name);
    expect(events.find(({ what }) => what === 'written')?.detail).toContain(`that came as ${cameAs}`);
  },
);

test('a sidecar to which nothing is to be added is delivered as it came', async () => {
  const { drop, folders } = await service.makeDrop({ settings: { keywords: { maxKeywords: 0 } } });
  await sendAll(folders, { 'none.xmp': sidecar(3), 'none.CR2': image });
  await service.settled(drop.id);
  expect(await sentNames('none')).toEqual(['none.CR2', 'none.xmp']);
  expect(await metadataOf(join(service.target, 'none.xmp'))).toEqual({ Rating: 3, Subject: 'wedding' });
});

test('an image that comes after its sidecar has ended takes it from there', async () => {
  const { drop, folders } = await service.makeDrop();
  await send(folders, 'late.xmp', sidecar(4));
  const [row] = await service.settled(drop.id);
  expect(row).toMatchObject({ state: 'failed', error: 'it is a sidecar, and its image did not come' });
  await send(folders, 'late.CR2', image);
  const rows = await service.settled(drop.id);
  expect(rows.map(({ name, state }) => [name, state]).sort()).toEqual([
    ['late.CR2', 'done'],
    ['late.xmp', 'done'],
  ]);
  expect(await sentNames('late')).toEqual(['late.CR2', 'late.xmp']);
  expect(await metadataOf(join(service.target, 'late.xmp'))).toEqual(united);
});

test('a sidecar that comes after its image is delivered with the same keywords', async () => {
  const { drop, folders } = await service.makeDrop();
  await send(folders, 'after.CR2', image);
  await service.settled(drop.id);
  await send(folders, 'after.xmp', sidecar(4));
  expect(await service.settled(drop.id)).toMatchObject([
    { state: 'done' },
    { state: 'done' },
    { state: 'done' },
  ]);
  expect(await sentNames('after')).toEqual(['after (2).xmp', 'after.CR2', 'after.xmp']);
  expect(await metadataOf(join(service.target, 'after (2).xmp'))).toEqual(united);
});

test('a sidecar that cannot be read ends by itself, and the image gets a new one', async () => {
  const { drop, folders } = await service.makeDrop();
  await sendAll(folders, { 'cut.xmp': sidecar(4).subarray(0, 200), 'cut.CR2': image });
  const rows = await service.settled(drop.id);
  expect(rows.find(({ name }) => name === 'cut.CR2')).toMatchObject({ state: 'done' });
  expect(rows.find(({ name, state }) => name === 'cut.xmp' && state === 'failed')).toBeDefined();
  expect(await metadataOf(join(service.target, 'cut.xmp'))).toEqual({ Subject: united.Subject.slice(1) });
});

test('a sidecar of two raw files is that of the one that is no DNG', async () => {
  const { drop, folders } = await service.makeDrop();
  await sendAll(folders, { 'two.DNG': image, 'two.xmp': sidecar(4), 'two.CR2': image });
  const rows = await service.settled(drop.id);
  const sent = rows.find(({ name }) => name.startsWith('two') && name.endsWith('.CR2'));
  const beside = String(sent?.name).replace(/CR2$/, 'xmp');
  expect(await metadataOf(join(service.target, beside))).toEqual(united);
});

test('a sidecar of an image that has its keywords inside ends by itself', async () => {
  const { drop, folders } = await service.makeDrop({ settings: { otherFiles: 'deliver' } });
  await sendAll(folders, { 'lone.xmp': sidecar(4) });
  expect(await service.settled(drop.id)).toMatchObject([{ state: 'done', name: 'lone.xmp' }]);
  expect(await metadataOf(join(service.target, 'lone.xmp'))).toEqual({ Rating: 4, Subject: 'wedding' });
});
