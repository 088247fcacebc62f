import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FilledFolder, openFolder, putFile } from '../operate/backup/fixtures/filled-folder.js';
import { lockForBackup } from '../storage/folder-lock.js';
import { endIn } from '../storage/restore/fixtures/run-restoring.js';
import { runCommandLine } from './main.js';

const restoringScript = fileURLToPath(
  new URL('../operate/backup/fixtures/restoring-process.js', import.meta.url),
);

describe('backup, verify and restore', () => {
  let here: FilledFolder;
  beforeEach(async () => {
    here = await openFolder();
    await here.fill('one');
  });
  afterEach(async () => {
    process.exitCode = undefined;
    reserve = '0';
    await here.drop();
  });

  let reserve = '0';
  const run = async (words: readonly string[], input?: Buffer) => {
    const said = { out: '', err: '' };
    const stdout = new PassThrough();
    const bytes = buffer(stdout);
    const code = await runCommandLine(words, {
      env: {
        PATH: process.env['PATH'],
        LYNCEUS_DATA_DIR: here.folder.dir,
        LYNCEUS_DATABASE_URL: here.testDatabase.databaseUrl,
        LYNCEUS_DISK_RESERVE_BYTES: reserve,
      },
      cwd: here.dir,
      print: (text) => {
        said.out += `${text}\n`;
      },
      note: (text) => {
        said.err += `${text}\n`;
      },
      stdout,
      ...(input
        ? {
            stdin: (async function* () {
              yield input;
            })(),
          }
        : {}),
    });
    stdout.end();
    return { code, ...said, bytes: await bytes };
  };

  test('make an archive, check it and put it back', async () => {
    const before = await here.state();
    expect(await run(['backup', 'all.tar', '--with-files'])).toMatchObject({
      code: 0,
      out: `${join(here.dir, 'all.tar')}\n`,
      err: expect.stringMatching(/face-image: 1 file,/),
    });
    expect(await run(['verify', 'all.tar'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^all\.tar is complete\.\nMade 20.*drop-file: 5 files/s),
    });
    const { out } = await run(['verify', 'all.tar', '--json']);
    expect(JSON.parse(out)).toMatchObject({ header: { format: 'lynceus-installation' } });
    await here.fill('two');
    expect(await run(['restore', 'all.tar', '--with-files'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Restored .*all\.tar\.\nThe previous files are now in .*replaced-/),
      err: expect.stringMatching(/no secret-key.*Sweeps are suspended for 24 hours/s),
    });
    expect(await here.state()).toEqual(before);
    expect(await run(['backup', 'all.tar', '--with-files'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exists already/),
    });
    expect((await run(['backup', '--with-files'])).out).toMatch(/backups\/lynceus-\d+T\d+Z\.tar\n/);
  });

  test('pass an archive through a pipe', async () => {
    const before = await here.state();
    const { code, out, bytes } = await run(['backup', '-', '--with-files', '--with-secrets']);
    expect([code, out, bytes.subarray(0, 12).toString()]).toEqual([0, '', 'archive.json']);
    expect((await run(['verify', '-'], bytes)).code).toBe(0);
    await here.fill('two');
    expect((await run(['restore', '-', '--with-files'], bytes)).code).toBe(0);
    expect(await here.state()).toEqual(before);
  });

  test('report what is damaged, missing or asked for in a way that cannot be', async () => {
    await run(['backup', 'all.tar', '--with-files']);
    const bytes = readFileSync(join(here.dir, 'all.tar'));
    const at = bytes.indexOf('one blobs/faces');
    bytes.write('x', at);
    writeFileSync(join(here.dir, 'bad.tar'), bytes);
    expect(await run(['verify', 'bad.tar'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/data\/blobs\/faces\/.* is damaged/),
    });
    expect(await run(['verify', 'none.tar'])).toMatchObject({ code: 1 });
    expect(await run(['restore', 'none.tar', '--with-files'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no file/),
    });
    expect(await run(['restore', 'all.tar'])).toMatchObject({ code: 0, err: expect.stringMatching(/files/) });
    for (const words of [
      ['backup', '--with-secrets'],
      ['backup', '-'],
      ['restore'],
      ['restore', 'all.tar', '--undo'],
      ['restore', '--undo'],
      ['restore', '--finish'],
    ]) {
      expect([words, (await run(words)).code]).toEqual([words, 1]);
    }
    rmSync(here.folder.facesDir, { recursive: true });
    const lossy = await run(['backup', 'lossy.tar', '--with-files']);
    expect(lossy.err).toMatch(/Missing: 1 files.*blobs\/faces/s);
    expect(lossy).toMatchObject({ code: 1, err: expect.stringMatching(/incomplete.*--allow-missing/s) });
    process.exitCode = undefined;
    expect((await run(['backup', 'partial.tar', '--with-files', '--allow-missing'])).code).toBe(0);
    expect(existsSync(join(here.dir, 'lossy.tar'))).toBe(true);
  });

  test('refuse a data folder and a database that do not belong together', async () => {
    const identity = JSON.parse(readFileSync(here.folder.identityPath, 'utf8'));
    const stranger = { ...identity, installation: '00000000-0000-4000-8000-000000000000' };
    writeFileSync(here.folder.identityPath, JSON.stringify(stranger));
    expect(await run(['backup', 'all.tar', '--with-files'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/do not belong together/),
    });
    expect(existsSync(join(here.dir, 'all.tar'))).toBe(false);
  });

  test('restore an archive over another installation only where that is asked for', async () => {
    await run(['backup', 'all.tar', '--with-files', '--with-secrets']);
    const identity = JSON.parse(readFileSync(here.folder.identityPath, 'utf8'));
    const stranger = { ...identity, installation: '00000000-0000-4000-8000-000000000000' };
    writeFileSync(here.folder.identityPath, JSON.stringify(stranger));
    const refused = await run(['restore', 'all.tar', '--with-files']);
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/--other-installation/) });
    expect(JSON.parse(readFileSync(here.folder.identityPath, 'utf8'))).toEqual(stranger);
    expect((await run(['restore', 'all.tar', '--with-files', '--other-installation'])).code).toBe(0);
    expect(JSON.parse(readFileSync(here.folder.identityPath, 'utf8'))).toMatchObject({
      installation: identity.installation,
    });
  });

  test('keep out of adopt and of what is in quarantine while a restore is interrupted', async () => {
    await run(['backup', 'all.tar', '--with-files']);
    const archive = join(here.dir, 'all.tar');
    await endIn(restoringScript, here.folder.dir, archive, '3', here.testDatabase.databaseUrl);
    for (const words of [
      ['adopt'],
      ['adopt', '--yes'],
      ['orphans', 'restore', '--all'],
      ['orphans', 'purge', '--all'],
      ['orphans', 'confirm', 'faces'],
      ['orphans', 'resume'],
    ]) {
      const { code, err } = await run(words);
      expect([words, code, err]).toEqual([words, 1, expect.stringMatching(/was interrupted.*--finish/s)]);
    }
  });

  test('end a restore that was interrupted, before a new one too', async () => {
    const before = await here.state();
    const archive = join(here.dir, 'all.tar');
    await run(['backup', archive, '--with-files']);
    await here.fill('two');
    const newer = await here.state();
    // Killed after it moved the first of what was there.
    const interrupt = () =>
      endIn(restoringScript, here.folder.dir, archive, '3', here.testDatabase.databaseUrl);
    expect(await interrupt()).toMatch(/^moved /);
    for (const words of [['backup'], ['backup', '--with-files'], ['keys', 'create', '--account', 'one']]) {
      expect([words, (await run(words)).code]).toEqual([words, 1]);
    }
    expect(await run(['restore', '--undo'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/was undone/),
    });
    expect(await here.state()).toEqual(newer);
    await interrupt();
    expect(await run(['restore', '--finish'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Restored the archive/),
    });
    expect(await here.state()).toEqual(before);
    await interrupt();
    // A slip of the hand undoes nothing.
    const slip = await run(['restore', 'none.tar', '--with-files']);
    expect([slip.err, existsSync(here.folder.restoreMarkerPath)]).toEqual([
      expect.stringMatching(/no file .*none.tar/),
      true,
    ]);
    if (here.testDatabase.databaseUrl !== '') {
      const refused = await run(['restore', archive, '--with-files']);
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringMatching(/--finish or undo it with --undo/),
      });
      expect(existsSync(here.folder.restoreMarkerPath)).toBe(true);
      expect((await run(['restore', '--undo'])).code).toBe(0);
    }
    const again = await run(['restore', archive, '--with-files']);
    expect(again).toMatchObject({ code: 0 });
    if (here.testDatabase.databaseUrl === '') expect(again.err).toMatch(/was undone first/);
    expect(await here.state()).toEqual(before);
  });

  test('leave the reserve of the disk alone', async () => {
    await run(['backup', 'all.tar', '--with-files']);
    reserve = '900GiB';
    expect(await run(['backup', 'more.tar', '--with-files'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/too little room/),
    });
    expect(await run(['restore', 'all.tar', '--with-files'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/too little room/),
    });
    expect(readdirSync(here.dir).sort()).toEqual(['all.tar', 'data']);
    expect(existsSync(here.folder.restoringDir)).toBe(false);
  });

  test('keep out of each other and begin from nothing after one that was killed', async () => {
    const lock = lockForBackup(here.folder);
    expect(await run(['backup', 'a.tar', '--with-files'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Another backup/),
    });
    expect(await run(['restore', 'a.tar', '--with-files'])).toMatchObject({ code: 1 });
    lock.release();
    putFile(here.folder, 'backup-staging/files/blobs/faces/aa/aaaaaaaa', 'left by one that was killed');
    writeFileSync(join(here.dir, 'a.tar.part'), 'left as well');
    expect((await run(['backup', 'a.tar', '--with-files'])).code).toBe(0);
    expect((await run(['verify', 'a.tar'])).code).toBe(0);
    expect(existsSync(here.folder.backupStagingDir)).toBe(false);
    expect(readdirSync(here.dir).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
