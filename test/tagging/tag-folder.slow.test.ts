import {
  appendFile,
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openJournal } from '#server/tagging/journal-folder.js';
import { smallHeic, smallImages } from '../fuzz/images.js';
import { haveExiftool, havePerl, listByExiftool } from '../keywords/keyword-trial.js';
import { hashPixels } from '../keywords/pixels.js';
import { rawFile } from '../keywords/raw-file.js';
import { sample } from '../support/sample.js';
import { foundIn, hashOf, startTagTrial, type TagTrial } from './tag-trial.js';

describe.skipIf(!havePerl || !haveExiftool)('keywords in the files of a folder', () => {
  let trial: TagTrial;
  let dir: string;
  let preview: Buffer;
  let serial = 0;
  beforeAll(async () => {
    trial = await startTagTrial();
    preview = await sharp(sample).resize(1024).jpeg().toBuffer();
  });
  afterAll(() => trial.close());
  beforeEach(async () => {
    serial += 1;
    dir = join(trial.folder, `folder ${serial}`);
    await mkdir(dir);
  });
  const put = async (name: string, bytes: Uint8Array = sample) => {
    const path = join(dir, name);
    await writeFile(path, bytes);
    return path;
  };
  const subjects = (path: string) => listByExiftool(path, 'XMP-dc:Subject');

  test('an image that cannot be written fails by itself, and the others are tagged', async () => {
    const png = await sharp(sample).resize(64).png().toBuffer();
    await put('a.png', png.subarray(0, -12));
    await put('b.jpg');
    expect(await trial.tag(dir)).toMatchObject([
      {
        path: join(dir, 'a.png'),
        outcome: 'failed',
        reason: expect.stringContaining('damaged or cut short'),
      },
      { outcome: 'tagged' },
    ]);
  });

  test('every format gets them with the same pixels, and its former bytes back', async () => {
    // Of each format the plain one: how keywords are written is tested elsewhere.
    const plain = Object.entries(await smallImages()).filter(([name]) => !name.includes(','));
    const others = { heic: smallHeic, dng: rawFile({ preview }) };
    const images = { ...Object.fromEntries(plain), ...others };
    const before = new Map<string, string>();
    for (const [name, bytes] of Object.entries(images))
      before.set(name, await hashOf(await put(name, bytes)));
    const pixels = new Map<string, string>();
    for (const name of before.keys()) if (name !== 'dng') pixels.set(name, await hashPixels(join(dir, name)));
    const verdicts = await trial.tag(dir);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(verdicts.map(() => 'tagged'));
    expect(verdicts).toHaveLength(before.size);
    for (const { path, sidecar } of verdicts) {
      expect(subjects(sidecar ?? path), path).toEqual(['otter']);
      if (sidecar !== null) expect(await hashOf(path)).toBe(before.get(path.slice(dir.length + 1)));
    }
    for (const [name, hash] of pixels) expect(await hashPixels(join(dir, name)), name).toBe(hash);
    // What is kept of each is small: all these images together have more bytes.
    const written = verdicts.flatMap(({ path, sidecar }) => (sidecar === null ? [path] : [path, sidecar]));
    expect(await trial.journal(dir)).toEqual(written.map(() => '.undo'));

    expect((await trial.undo(dir)).map(({ outcome }) => outcome)).toEqual(verdicts.map(() => 'undone'));
    for (const [name, hash] of before) expect(await hashOf(join(dir, name)), name).toBe(hash);
    for (const { sidecar } of verdicts) if (sidecar) await expect(lstat(sidecar)).rejects.toThrow('ENOENT');
  });

  test('what was done with the same settings is not looked at again, unless it changed or that is asked for', async () => {
    const path = await put('a.jpg');
    let looks = 0;
    const recognise = async () => {
      looks += 1;
      return foundIn('otter');
    };
    const tag = async (change = {}) =>
      (await trial.tag(dir, { recognise, ...change })).map(({ outcome }) => outcome);
    expect(await tag()).toEqual(['tagged']);
    expect(await tag()).toEqual(['done-before']);
    expect(looks).toBe(1);
    expect(await tag({ isAgain: true })).toEqual(['nothing-to-add']);
    expect(await tag({ fingerprint: 'two' })).toEqual(['nothing-to-add']);
    expect(await tag({ fingerprint: 'two' })).toEqual(['done-before']);
    await writeFile(path, sample);
    expect(await tag({ fingerprint: 'two' })).toEqual(['tagged']);
    expect(looks).toBe(4);
  });

  test('after several runs the bytes of before the first come back', async () => {
    const path = await put('a.jpg');
    await trial.tag(dir);
    await trial.tag(dir, { fingerprint: 'two', recognise: async () => foundIn('kite', 'otter') });
    await trial.tag(dir, { fingerprint: 'three', recognise: async () => foundIn('kite') });
    expect(subjects(path)).toEqual(['otter', 'kite']);
    expect(await trial.undo(dir)).toMatchObject([{ outcome: 'undone', removed: ['otter', 'kite'] }]);
    expect(await readFile(path)).toEqual(sample);
    expect(await trial.undo(dir)).toEqual([]);
    expect(await trial.tag(dir, { isWatching: true })).toMatchObject([{ outcome: 'undone-before' }]);
    expect(await trial.tag(dir)).toMatchObject([{ outcome: 'tagged' }]);
  });

  test('mode, times and other names of a file stay, and so do links and what is read-only', async () => {
    const path = await put('a.jpg');
    await chmod(path, 0o640);
    await utimes(path, 1_000_000_000.25, 1_000_000_001.75);
    await link(path, join(dir, 'same.bin'));
    const other = join(trial.folder, `outside ${serial}.jpg`);
    await writeFile(other, sample);
    await symlink(other, join(dir, 'link.jpg'));
    await chmod(await put('locked.jpg'), 0o444);
    await rm(join(dir, 'same.bin'));
    await link(path, `${other}.hard`);
    const verdicts = await trial.tag(dir);
    expect(verdicts).toMatchObject([
      { path, outcome: 'tagged' },
      { outcome: 'failed', reason: 'locked.jpg is read-only: allow writing with chmod u+w locked.jpg' },
    ]);
    const { mode, mtimeMs } = await lstat(path);
    expect([mode & 0o7777, mtimeMs]).toEqual([0o640, 1_000_000_001_750]);
    expect((await lstat(join(dir, 'link.jpg'))).isSymbolicLink()).toBe(true);
    expect([await readFile(other), await readFile(`${other}.hard`)]).toEqual([sample, sample]);
    await trial.undo(dir);
    expect(await readFile(path)).toEqual(sample);
    expect((await lstat(path)).mtimeMs).toBe(1_000_000_001_750);
    await rm(other);
    await rm(`${other}.hard`);
  });

  test('names with line breaks, percent signs and 255 bytes are names', async () => {
    const inner = join(dir, 'a\n%d -o b');
    await mkdir(inner);
    const names = ['x\ny.jpg', '-delete%f.jpg', `${'ä'.repeat(125)}.jpg`];
    for (const name of names) await writeFile(join(inner, name), sample);
    const verdicts = await trial.tag(inner);
    expect(verdicts.map(({ outcome, reason }) => reason ?? outcome)).toEqual(names.map(() => 'tagged'));
    await trial.undo(inner);
    for (const name of names) expect(await readFile(join(inner, name))).toEqual(sample);
  });

  test('a sidecar that is there gets them, keeps what it has, and gets its former bytes back', async () => {
    await put('a.dng', rawFile({ preview }));
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>`;
    const sidecar = await put('a.xmp', Buffer.from(xmp));
    expect(await trial.tag(dir)).toMatchObject([{ outcome: 'tagged', sidecar }]);
    expect([subjects(sidecar), listByExiftool(sidecar, 'XMP-xmp:Rating')]).toEqual([['otter'], ['4']]);
    await trial.undo(dir);
    expect(await readFile(sidecar, 'utf8')).toBe(xmp);
  });

  test('an image and its sidecar both get their former bytes back, whatever was looked for last', async () => {
    const raw = rawFile({ preview });
    const path = await put('a.dng', raw);
    const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>';
    const sidecar = await put('a.xmp', Buffer.from(xmp));
    expect(await trial.tag(dir)).toMatchObject([{ outcome: 'tagged', sidecar }]);
    const keywords = { ...trial.usual.settings.keywords, rawFiles: 'embedded' as const };
    const settings = { ...trial.usual.settings, keywords };
    const embedded = { settings, fingerprint: 'two' };
    expect(await trial.tag(dir, embedded)).toMatchObject([{ outcome: 'tagged', sidecar: null }]);
    expect(await trial.tag(dir, embedded)).toMatchObject([{ outcome: 'done-before' }]);
    await trial.tag(dir, { fingerprint: 'three' });
    expect((await trial.undo(dir)).map(({ outcome }) => outcome)).toEqual(['undone', 'undone']);
    expect(await readFile(sidecar, 'utf8')).toBe(xmp);
    expect(await readFile(path)).toEqual(raw);
  });

  test('a sidecar that images share gets the bytes of before the first run back', async () => {
    for (const name of ['a.dng', 'a.nef']) await put(name, rawFile({ preview }));
    const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>';
    const sidecar = await put('a.xmp', Buffer.from(xmp));
    for (const title of ['otter', 'kite', 'kite']) {
      await trial.tag(dir, { fingerprint: title, recognise: async () => foundIn(title) });
    }
    expect(subjects(sidecar)).toEqual(['otter', 'kite']);
    const undone = { outcome: 'undone', removed: ['otter', 'kite'] };
    expect(await trial.undo(dir)).toMatchObject([undone, undone]);
    expect(await readFile(sidecar, 'utf8')).toBe(xmp);
    for (const { outcome } of await trial.tag(dir, { isWatching: true, fingerprint: 'kite' })) {
      expect(outcome).toBe('undone-before');
    }
  });

  test('of a DNG, whose sidecar Adobe programs do not look for, it is shared with no other raw file', async () => {
    for (const name of ['IMG_1.CR2', 'IMG_1.DNG']) await put(name, rawFile({ preview }));
    await trial.tag(dir);
    expect(await readdir(dir)).toEqual([
      '.lynceus-tag',
      'IMG_1.CR2',
      'IMG_1.DNG',
      'IMG_1.DNG.xmp',
      'IMG_1.xmp',
    ]);
  });

  test('a new sidecar has the name that Adobe programs look for; raw files of one stem share it', async () => {
    const names = ['IMG_1.ARW', 'IMG_1.CR2', 'IMG_1.NEF'];
    for (const name of names) await put(name, rawFile({ preview }));
    const sidecar = join(dir, 'IMG_1.xmp');
    const words = ['otter', 'kite', 'gull'];
    let looks = 0;
    const recognise = async () => {
      looks += 1;
      return foundIn(words[(looks - 1) % 3] ?? '');
    };
    const tag = (change = {}) => trial.tag(dir, { recognise, ...change });
    const tagged = names.map((name) => ({ path: join(dir, name), outcome: 'tagged', sidecar }));
    const done = names.map(() => ({ outcome: 'done-before' }));
    expect(await tag()).toMatchObject(tagged);
    expect([...subjects(sidecar)].sort()).toEqual(['gull', 'kite', 'otter']);
    expect(await tag()).toMatchObject(done);
    expect(await readdir(dir)).toEqual(['.lynceus-tag', ...names, 'IMG_1.xmp']);

    const undone = await trial.undo(dir);
    expect(undone.map(({ path }) => path).sort()).toEqual(names.map((name) => join(dir, name)));
    expect(await readdir(dir)).toEqual(['.lynceus-tag', ...names]);
    expect(await trial.undo(dir)).toEqual([]);
    expect(await tag({ isWatching: true })).toMatchObject(names.map(() => ({ outcome: 'undone-before' })));
    // One that is tagged again does not make the others done.
    const only = join(trial.folder, `only ${serial}`);
    await mkdir(only);
    for (const name of names.slice(1)) await rename(join(dir, name), join(only, name));
    expect(await tag()).toMatchObject([{ outcome: 'tagged' }]);
    for (const name of names.slice(1)) await rename(join(only, name), join(dir, name));
    expect(await tag({ isWatching: true })).toMatchObject([
      { outcome: 'done-before' },
      { outcome: 'undone-before' },
      { outcome: 'undone-before' },
    ]);
    looks = 1;
    expect(await tag()).toMatchObject([{ outcome: 'done-before' }, ...tagged.slice(1)]);
    expect(await tag()).toMatchObject(done);
    await trial.undo(dir);
    expect(await readdir(dir)).toEqual(['.lynceus-tag', ...names]);
  });

  test('of a raw file with a sidecar of darktable, that one is updated', async () => {
    await put('a.cr2', rawFile({ preview }));
    const xmp = '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>';
    await put('a.xmp', Buffer.from(xmp));
    const sidecar = await put('a.cr2.xmp', Buffer.from(xmp));
    expect(await trial.tag(dir)).toMatchObject([{ outcome: 'tagged', sidecar }]);
    expect(await readFile(join(dir, 'a.xmp'), 'utf8')).toBe(xmp);
    await trial.undo(dir);
    expect(await readFile(sidecar, 'utf8')).toBe(xmp);
  });

  test('a raw file that is read-only gets a sidecar, which its owner may write to; a sidecar that is read-only is left', async () => {
    await chmod(await put('a.dng', rawFile({ preview })), 0o444);
    await put('b.dng', rawFile({ preview }));
    await chmod(await put('b.xmp', Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')), 0o444);
    await chmod(await put('c.jpg'), 0o444);
    const tagged = { outcome: 'tagged' };
    expect(await trial.tag(dir, { isTrial: true })).toMatchObject([tagged, tagged, tagged]);
    expect(await trial.tag(dir)).toMatchObject([
      tagged,
      { outcome: 'failed', reason: 'b.xmp is read-only: allow writing with chmod u+w b.xmp' },
      { outcome: 'failed' },
    ]);
    expect((await lstat(join(dir, 'a.dng.xmp'))).mode & 0o777).toBe(0o644);
  });

  test('images that were renamed or deleted since are named, and undone once they have their names again', async () => {
    const raw = rawFile({ preview });
    const jpeg = await put('a.jpg');
    await put('b.jpg');
    const gone = await put('c.jpg', Buffer.concat([sample, Buffer.from('c')]));
    const nef = await put('d.nef', raw);
    await trial.tag(dir);
    const at = (name: string) => join(dir, name);
    await rename(jpeg, at('first.jpg'));
    await rename(nef, at('third.nef'));
    await rename(at('d.xmp'), at('third.xmp'));
    await rm(gone);
    const tagged = await readFile(at('first.jpg'));
    const undone = async (isTrial: boolean) =>
      (await trial.undo(dir, isTrial))
        .map(({ path, outcome }) => [path.slice(dir.length + 1), outcome])
        .sort();
    const expected = [
      ['a.jpg', 'gone'],
      ['b.jpg', 'undone'],
      ['c.jpg', 'gone'],
      ['d.nef', 'gone'],
    ];
    expect(await undone(true)).toEqual(expected);
    expect(await undone(false)).toEqual(expected);
    expect(await readdir(dir)).toEqual(['.lynceus-tag', 'b.jpg', 'first.jpg', 'third.nef', 'third.xmp']);
    expect(await readFile(at('first.jpg'))).toEqual(tagged);
    // Another file with the former bytes is not taken for it.
    expect((await undone(false)).map(([, outcome]) => outcome)).toEqual(['gone', 'gone', 'gone']);
    await rename(at('first.jpg'), jpeg);
    await rename(at('third.nef'), nef);
    await rename(at('third.xmp'), at('d.xmp'));
    expect(await undone(false)).toEqual([
      ['a.jpg', 'undone'],
      ['c.jpg', 'gone'],
      ['d.nef', 'undone'],
    ]);
    expect(await readFile(jpeg)).toEqual(sample);
    expect(await readdir(dir)).toEqual(['.lynceus-tag', 'a.jpg', 'b.jpg', 'd.nef']);
  });

  test('a file that changes while it is looked at keeps the change, and one that changed since is not undone', async () => {
    const path = await put('a.jpg');
    const recognise = async () => {
      await appendFile(path, 'more');
      return foundIn('otter');
    };
    expect(await trial.tag(dir, { recognise })).toMatchObject([{ outcome: 'failed' }]);
    expect(await readFile(path)).toEqual(Buffer.concat([sample, Buffer.from('more')]));
    expect(await trial.tag(dir)).toMatchObject([{ outcome: 'tagged' }]);
    await appendFile(path, 'edited');
    const edited = await hashOf(path);
    expect(await trial.undo(dir)).toMatchObject([{ outcome: 'changed' }]);
    expect(await hashOf(path)).toBe(edited);
  });

  test('what another program wrote into the former file beside a killed command comes back', async () => {
    const path = await put('a.jpg');
    const former = join(trial.folder, `former ${serial}`);
    await link(path, former);
    await trial.tag(dir);
    const journal = await openJournal(dir);
    const [record = ''] = (await journal?.records()) ?? [];
    journal?.close();
    // As it is between the exchange and its end, with a program that has the former file open.
    await appendFile(former, 'more');
    await rename(former, record.replace(/undo$/, 'guard'));
    expect(await trial.tag(dir)).toMatchObject([{ outcome: 'tagged', reason: null }]);
    expect(await trial.journal(dir)).toEqual(['.undo']);
    await trial.undo(dir);
    expect(await readFile(path)).toEqual(Buffer.concat([sample, Buffer.from('more')]));
  });

  test('a program that writes on after the exchange gets its file back', async () => {
    const path = await put('a.jpg');
    const writer = await open(path, 'a');
    const tagging = trial.tag(dir, { settleMs: 1500 });
    const { ino } = await lstat(path);
    await expect.poll(async () => (await lstat(path)).ino, { timeout: 10_000 }).not.toBe(ino);
    await sleep(300);
    await writer.write('more');
    await writer.close();
    const reason = expect.stringContaining('it changed');
    expect(await tagging).toMatchObject([{ outcome: 'tagged' }, { path, outcome: 'failed', reason }]);
    expect(await readFile(path)).toEqual(Buffer.concat([sample, Buffer.from('more')]));
    expect(await trial.journal(dir)).toEqual(['.undo']);
    expect(await trial.tag(dir)).toMatchObject([{ outcome: 'tagged' }]);
  });

  test('a kill after the exchange that undoes leaves no second file', async () => {
    const path = await put('a.jpg');
    await trial.tag(dir);
    const journal = await openJournal(dir);
    const [record = ''] = (await journal?.records()) ?? [];
    journal?.close();
    await link(path, record.replace(/undo$/, 'guard'));
    await writeFile(join(dir, '.former'), sample);
    await rename(join(dir, '.former'), path);
    expect(await trial.undo(dir)).toMatchObject([{ outcome: 'undone' }]);
    expect(await readdir(dir)).toEqual(['.lynceus-tag', 'a.jpg']);
    expect(await trial.journal(dir)).toEqual(['.undo']);
    expect(await readFile(path)).toEqual(sample);
  });

  test('a folder is worked on by one command at a time; a trial writes nothing', async () => {
    const path = await put('a.jpg');
    await put('notes.txt', Buffer.from('no image'));
    expect(await trial.tag(dir, { isTrial: true })).toMatchObject([{ outcome: 'tagged', added: ['otter'] }]);
    await expect(lstat(join(dir, '.lynceus-tag'))).rejects.toThrow('ENOENT');
    expect(await readFile(path)).toEqual(sample);
    const journal = await openJournal(dir);
    try {
      expect(await trial.tag(dir)).toMatchObject([{ path: dir, outcome: 'failed' }]);
      expect(await trial.undo(dir)).toMatchObject([{ path: dir, outcome: 'failed' }]);
    } finally {
      journal?.close();
    }
    expect(await trial.tag(dir)).toMatchObject([{ outcome: 'tagged' }]);
  });

  test.each([{ undo: true }, { undo: false }])(
    'a journal of other users is refused, and so is a record of a file elsewhere (%j)',
    async (change) => {
      const victim = join(trial.folder, `victim ${serial}.conf`);
      await writeFile(victim, 'former');
      const path = await put('a.jpg');
      await trial.tag(dir);
      const [record = ''] = (await readdir(join(dir, '.lynceus-tag'))).filter((name) =>
        name.endsWith('.undo'),
      );
      const recordPath = join(dir, '.lynceus-tag', record);
      const text = (await readFile(recordPath)).toString('latin1');
      const target = `../victim ${serial}.conf`;
      const forged = change.undo
        ? text.replace('"target":"a.jpg"', `"target":"${target}"`)
        : text.replace('"image":"a.jpg"', `"image":"${target}"`);
      expect(forged).not.toBe(text);
      await writeFile(recordPath, Buffer.from(forged, 'latin1'));
      expect(await trial.undo(dir)).toMatchObject([
        { outcome: 'failed', reason: expect.stringContaining('damaged') },
      ]);
      expect(await readFile(victim, 'utf8')).toBe('former');
      await writeFile(recordPath, Buffer.from(text, 'latin1'));

      await chmod(join(dir, '.lynceus-tag'), 0o722);
      await put('b.jpg');
      const reason = expect.stringContaining('mount it with umask=022');
      const refused = [{ path: dir, outcome: 'failed', reason }];
      expect(await trial.tag(dir)).toMatchObject(refused);
      expect(await trial.undo(dir)).toMatchObject(refused);
      await chmod(join(dir, '.lynceus-tag'), 0o700);
      await trial.undo(dir);
      expect(await readFile(path)).toEqual(sample);
      await rm(victim);
    },
  );
});
