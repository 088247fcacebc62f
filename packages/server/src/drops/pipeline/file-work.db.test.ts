import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineError } from '@lynceus/engine';
import { exiftoolPath } from 'exiftool-vendored';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { found } from '../../http/fixtures/scripted-runner.js';
import { createBuiltinModels } from '../../service/builtin/builtin-models.js';
import { shippedSelection } from '../../service/builtin/shipped-models.js';
import type { DropFolders, DropPath } from '../drop-folders.js';
import { blackBmp } from '../fixtures/black-bmp.js';
import { namesIn, put, readAll } from '../fixtures/drop-trial.js';
import { openWorkingDrop, type WorkingDrop } from '../fixtures/working-drop.js';

let service: WorkingDrop;
let photo: Buffer;
beforeAll(async () => {
  service = await openWorkingDrop();
  photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => service.close());

async function putBytes(folders: DropFolders, path: DropPath, content: Uint8Array): Promise<void> {
  const upload = await folders.receive(path, { at: 'begin' });
  await upload.write(content);
  await upload.finish();
}

async function keywordsOf(path: string): Promise<unknown> {
  const args = ['-j', '-IPTC:Keywords', '-XMP-dc:Subject', '-charset', 'iptc=utf8', path];
  const { stdout } = await promisify(execFile)('perl', [await exiftoolPath(), ...args]);
  return JSON.parse(stdout)[0];
}

describe('a photograph in a drop', () => {
  test('is looked at, gets its keywords, is sent on, and is done', async () => {
    const { drop, folders } = await service.makeDrop();
    await folders.makeFolder(['incoming', 'DCIM']);
    await putBytes(folders, ['incoming', 'DCIM', 'IMG_1.jpg'], photo);
    const [row] = await service.settled(drop.id);
    expect(row).toMatchObject({ state: 'done', area: 'done', name: 'IMG_1.jpg', error: null });
    const sent = join(service.target, 'DCIM', 'IMG_1.jpg');
    const metadata = await keywordsOf(sent);
    expect(metadata).toMatchObject({
      Keywords: ['dog', 'cat', 'malamute', 'open', 'Bäckerei "Öz"'],
      Subject: ['dog', 'cat', 'malamute', 'open', 'Bäckerei "Öz"'],
    });
    const pixels = (image: string | Buffer) => sharp(image).raw().toBuffer();
    expect(await pixels(sent)).toEqual(await pixels(photo));
    const day = new Date().toISOString().slice(0, 10);
    expect(await namesIn(folders, ['incoming', 'DCIM'])).toEqual([]);
    expect(await namesIn(folders, ['done', day])).toEqual(['IMG_1.jpg']);
    const { stream } = await folders.read(['done', day, 'IMG_1.jpg'], 0);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(await readFile(sent));
  });

  test('is looked at by the detector and classifier that the operator selected for drops', async () => {
    const selection = { ...shippedSelection, dropDetector: 'coco-fast' };
    const other = await openWorkingDrop({ builtinModels: createBuiltinModels([], selection) });
    try {
      const { drop, folders } = await other.makeDrop();
      await putBytes(folders, ['incoming', 'a.jpg'], photo);
      await other.settled(drop.id);
      const { detect, classify } = other.runner.seen[0]?.options ?? {};
      expect(detect).toMatchObject({ models: [{ id: 'coco-ssd' }] });
      expect(classify).toMatchObject({ model: { id: 'inception-v3' } });
    } finally {
      await other.close();
    }
  });

  test.each(['auto', 'normal'] as const)('is looked at with the detail of its drop: %s', async (detail) => {
    const { drop, folders } = await service.makeDrop(detail === 'auto' ? {} : { settings: { detail } });
    await putBytes(folders, ['incoming', 'a.jpg'], photo);
    await service.settled(drop.id);
    expect(service.runner.seen.at(-1)?.options['detect']).toMatchObject({ detail });
  });

  test('is read in the languages of its drop', async () => {
    const { drop, folders } = await service.makeDrop({ settings: { textLanguages: ['pl', 'de'] } });
    await putBytes(folders, ['incoming', 'a.jpg'], photo);
    await service.settled(drop.id);
    expect(service.runner.seen.at(-1)?.options['readText']).toMatchObject({ languages: ['pl', 'de'] });
  });

  test('counts as a call on the key of its drop, and its analysis is kept', async () => {
    const { drop, folders } = await service.makeDrop();
    await putBytes(folders, ['incoming', 'a.jpg'], photo);
    const [row] = await service.settled(drop.id);
    const { query } = service.database;
    const usage = await query.selectFrom('usage').selectAll().where('key_id', '=', drop.keyId).execute();
    expect(usage).toMatchObject([{ operation: 'drop.file', calls: 1 }]);
    const analysis = await query
      .selectFrom('analysis')
      .selectAll()
      .where('fileid', '=', String(row?.fileid))
      .executeTakeFirst();
    expect(analysis).toMatchObject({ key_id: drop.keyId });
  });

  test('that may be a raw file is shown to exiftool once to determine its kind', async () => {
    const { drop, folders } = await service.makeDrop();
    const before = service.exiftoolCommands.length;
    await putBytes(folders, ['incoming', 'scan.tif'], await sharp(photo).tiff().toBuffer());
    expect(await service.settled(drop.id)).toMatchObject([{ state: 'done' }]);
    const asked = service.exiftoolCommands
      .slice(before)
      .filter((args) => args.includes('-EXIF:PhotometricInterpretation'));
    expect(asked).toHaveLength(1);
  });

  test('of a name that was there is sent on beside the other', async () => {
    const { drop, folders } = await service.makeDrop();
    await putBytes(folders, ['incoming', 'twice.jpg'], photo);
    await service.settled(drop.id);
    await putBytes(folders, ['incoming', 'twice.jpg'], photo);
    const rows = await service.settled(drop.id);
    expect(rows.map(({ name }) => name).sort()).toEqual(['twice (2).jpg', 'twice.jpg']);
    expect((await readdir(service.target)).filter((name) => name.startsWith('twice')).sort()).toEqual([
      'twice (2).jpg',
      'twice.jpg',
    ]);
  });

  test('stays in done where the drop sends nowhere', async () => {
    const { drop, folders } = await service.makeDrop({ destination: null });
    await putBytes(folders, ['incoming', 'here.jpg'], photo);
    expect(await service.settled(drop.id)).toMatchObject([{ state: 'done', delivered_to: null }]);
    expect(await readdir(service.target)).not.toContain('here.jpg');
  });

  test('that is none fails with its reason beside it, as it came', async () => {
    const { drop, folders } = await service.makeDrop();
    await put(folders, ['incoming', 'notes.jpg'], 'no image at all');
    const rows = await service.settled(drop.id);
    expect(rows[0]).toMatchObject({ state: 'failed', error: expect.stringMatching(/^it is not an image/) });
    const day = new Date().toISOString().slice(0, 10);
    expect(await namesIn(folders, ['failed', day])).toEqual(['notes.jpg', 'notes.jpg.txt']);
    expect(await readAll(folders, ['failed', day, 'notes.jpg'])).toBe('no image at all');
    expect(await readAll(folders, ['failed', day, 'notes.jpg.txt'])).toMatch(/not an image/);
    expect(await readdir(service.target)).not.toContain('notes.jpg');
  });

  test('that is none is sent on untouched where the drop says so', async () => {
    const { drop, folders } = await service.makeDrop({ settings: { otherFiles: 'deliver' } });
    await put(folders, ['incoming', 'notes.txt'], 'no image at all');
    expect(await service.settled(drop.id)).toMatchObject([{ state: 'done', fileid: null }]);
    expect(await readFile(join(service.target, 'notes.txt'), 'utf8')).toBe('no image at all');
  });

  const deliverAll = { settings: { otherFiles: 'deliver' } } as const;

  test.each(['image-too-large', 'image-corrupt'] as const)(
    'that cannot be analysed (%s) is sent on as it came, with the reason, where the drop sends all files',
    async (code) => {
      const { drop, folders } = await service.makeDrop(deliverAll);
      service.runner.script = async () => {
        throw new EngineError(code, 'the image is as scripted');
      };
      await putBytes(folders, ['incoming', `${code}.jpg`], photo);
      const [row] = await service.settled(drop.id);
      service.runner.script = async () => found;
      const sent = join(service.target, `${code}.jpg`);
      expect(row).toMatchObject({ state: 'done', fileid: null, delivered_to: sent });
      expect(row?.error).toMatch(/^the image/);
      expect(await readFile(sent)).toEqual(photo);
      expect(service.withoutKeywords.at(-1)).toEqual({
        dropId: drop.id,
        fileId: row?.id,
        reason: row?.error,
      });
      const events = await service.store.files.history(row?.id ?? '');
      expect(events.find(({ what }) => what === 'written')?.detail).toBe(`nothing: ${row?.error}`);
    },
  );

  test('whose metadata cannot be written is sent on as it came, where the drop sends all files', async () => {
    const { drop, folders } = await service.makeDrop(deliverAll);
    const damaged = photo.subarray(0, 100);
    await putBytes(folders, ['incoming', 'damaged.jpg'], damaged);
    const [row] = await service.settled(drop.id);
    expect(row).toMatchObject({ state: 'done', fileid: expect.any(String), error: expect.any(String) });
    expect(await readFile(join(service.target, 'damaged.jpg'))).toEqual(damaged);
  });

  test('whose keywords are in a sidecar stays in done with it; clients delete one after the other, owners both', async () => {
    const { drop, folders } = await service.makeDrop({ destination: null });
    const image = blackBmp(8, 8);
    for (const name of ['scan.bmp', 'scan.dib']) await putBytes(folders, ['incoming', name], image);
    const rows = await service.settled(drop.id);
    const [first] = rows;
    const folder = ['done', first?.parent ?? ''];
    const names = await namesIn(folders, folder);
    expect(names).toHaveLength(4);
    expect(names).toContain('scan.xmp');
    expect(names).toContain('scan (2).xmp');
    expect(await readAll(folders, [...folder, 'scan.xmp'])).toContain('malamute');
    const list = await service.store.files.list(
      { accountId: service.accountId, dropId: drop.id },
      {},
      { limit: 10, after: undefined },
    );
    expect(list.items.map(({ name }) => name).sort()).toEqual(['scan.bmp', 'scan.dib']);
    const image1 = names.find((name) => /^scan\.(bmp|dib)$/.test(name)) ?? '';
    await folders.removeFile([...folder, image1]);
    expect(await readAll(folders, [...folder, 'scan.xmp'])).toContain('malamute');
    await folders.removeFile([...folder, 'scan.xmp']);
    const left = names.filter((name) => /^scan \(2\)/.test(name));
    expect(await namesIn(folders, folder)).toEqual(left);
    const image2 = left.find((name) => !name.endsWith('.xmp')) ?? '';
    await folders.removeFile([...folder, image2]);
    const where = { accountId: service.accountId, dropId: drop.id };
    expect(await service.store.files.purge(where, 'done')).toMatchObject({ files: 0, left: 0 });
    expect(await service.settled(drop.id)).toEqual([]);
  });

  test('that is called like a sidecar has one of another name', async () => {
    const { drop, folders } = await service.makeDrop({ destination: null });
    await putBytes(folders, ['incoming', 'scan.xmp'], blackBmp(8, 8));
    const [row] = await service.settled(drop.id);
    expect(await namesIn(folders, ['done', row?.parent ?? ''])).toEqual(['scan.xmp', 'scan.xmp.xmp']);
  });

  test('with a sidecar is deleted with its drop', async () => {
    const { drop, folders } = await service.makeDrop({ destination: null });
    await putBytes(folders, ['incoming', 'scan.bmp'], blackBmp(8, 8));
    await service.settled(drop.id);
    expect(await service.store.deletion.removeDrop(service.accountId, drop.id)).toMatchObject({ files: 1 });
  });

  test('that is too large fails with the settings by which it would not', async () => {
    const { drop, folders } = await service.makeDrop();
    const { script } = service.runner;
    service.runner.script = async () => {
      throw new EngineError('image-too-large', 'the image has too many pixels: 9000x8000');
    };
    await putBytes(folders, ['incoming', 'large.jpg'], photo);
    const [row] = await service.settled(drop.id);
    service.runner.script = script;
    expect(row).toMatchObject({
      state: 'failed',
      error:
        'the image has too many pixels: 9000x8000; send a smaller one, or raise maxPixels of the service',
    });
  });

  test.each(['image-corrupt', 'image-too-complex'] as const)('that is %s fails at once', async (code) => {
    const { drop, folders } = await service.makeDrop();
    service.runner.script = async () => {
      throw new EngineError(code, 'the image is truncated or damaged: row 7');
    };
    await putBytes(folders, ['incoming', 'damaged.jpg'], photo);
    const [row] = await service.settled(drop.id);
    service.runner.script = async () => found;
    expect(row).toMatchObject({ state: 'failed', error: 'the image is truncated or damaged: row 7' });
  });

  test('is refused for damage that decoders ignore, as what is read in it would be written into it', async () => {
    const { drop, folders } = await service.makeDrop();
    await putBytes(folders, ['incoming', 'a.jpg'], photo);
    await service.settled(drop.id);
    expect(service.runner.seen.at(-1)).toMatchObject({ refuseDamage: true });
  });

  test('is tried again when the way is closed for a while, and counted once', async () => {
    const { drop, folders } = await service.makeDrop();
    let attempts = 0;
    service.runner.script = async () => {
      attempts += 1;
      if (attempts < 2) throw new EngineError('busy', 'busy');
      return found;
    };
    await putBytes(folders, ['incoming', 'again.jpg'], photo);
    const [row] = await service.settled(drop.id);
    service.runner.script = async () => found;
    expect(row).toMatchObject({ state: 'done', error: null });
    const usage = await service.database.query
      .selectFrom('usage')
      .select('calls')
      .where('key_id', '=', drop.keyId)
      .execute();
    expect(usage).toEqual([{ calls: 1 }]);
  });
});

describe('work that is cut', () => {
  test('goes on behind each step, sends once and counts once', async () => {
    const { drop, folders } = await service.makeDrop();
    await service.stopWork();
    await putBytes(folders, ['incoming', 'cut.jpg'], photo);
    service.runner.script = async (signal) => {
      await new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('cut'))),
      );
      return found;
    };
    await service.startWork();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await service.stopWork();
    service.runner.script = async () => found;
    await service.startWork();
    expect(await service.settled(drop.id)).toMatchObject([{ state: 'done' }]);
    expect((await readdir(service.target)).filter((name) => name.startsWith('cut'))).toEqual(['cut.jpg']);
  });

  test('behind the sending finds what was sent, and sends no second one', async () => {
    const { drop, folders } = await service.makeDrop();
    await putBytes(folders, ['incoming', 'sent.jpg'], photo);
    const [row] = await service.settled(drop.id);
    await service.stopWork();
    // As it was before its last step.
    const { database } = service;
    await database.write([
      database.query
        .updateTable('drop_file')
        .set({ state: 'written', area: 'incoming', parent: '', ended_at: null, delivered_to: null })
        .where('id', '=', String(row?.id)),
      // A stop just behind the last step leaves the work to the next start, which finds nothing to do.
      database.query.deleteFrom('job').where('subject', '=', String(row?.id)),
      database.query.insertInto('job').values({
        id: 'again',
        account_id: service.accountId,
        kind: 'drop-file',
        subject: String(row?.id),
        payload: 'null',
        state: 'waiting',
        due_at: 0,
        created_at: 0,
      }),
    ]);
    await service.startWork();
    expect(await service.settled(drop.id)).toMatchObject([{ state: 'done' }]);
    expect((await readdir(service.target)).filter((name) => name.startsWith('sent'))).toEqual(['sent.jpg']);
  });
});
