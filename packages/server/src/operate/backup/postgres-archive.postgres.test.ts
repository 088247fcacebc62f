import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressOf, openCommandStorage } from '../../storage/open-storage.js';
import { finishRestore, undoRestore } from '../../storage/restore/end-restore.js';
import { endIn } from '../../storage/restore/fixtures/run-restoring.js';
import { type RestoreMarker, readRestoreMarker } from '../../storage/restore/restore-marker.js';
import type { OnStep } from '../../storage/restore/swap.js';
import { backUp, outsideOf, restoreFrom } from './fixtures/archiving.js';
import { type FilledFolder, filesIn, openFolder } from './fixtures/filled-folder.js';
import { postgresPrograms } from './postgres-programs.js';
import { postgresDatabase } from './postgres-restore.js';

const restoringScript = fileURLToPath(new URL('./fixtures/restoring-process.js', import.meta.url));

describe('an archive of a PostgreSQL database', () => {
  let here: FilledFolder;
  beforeEach(async () => {
    here = await openFolder();
    await here.fill('one');
  });
  afterEach(() => here.drop());

  const run = async (sql: string) => {
    const client = new Client(here.testDatabase.databaseUrl);
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };

  const connectionOf = () => ({ connectionString: here.testDatabase.databaseUrl });
  const addAccount = (name: string) =>
    run(`insert into account (name, plan, result_days, created_at) values ('${name}', 'paid', 1, 1)`);
  const names = async () => {
    const client = new Client(connectionOf());
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select name from account order by name');
    await client.end();
    return rows.map(({ name }) => name);
  };
  const dumps = () =>
    readdirSync(here.folder.backupsDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.dump'),
    );
  const crashAtStep = (archive: string, step: string) =>
    endIn(restoringScript, here.folder.dir, archive, step, here.testDatabase.databaseUrl);

  test('is of one moment: rows that come while it is made are in neither half', async () => {
    const before = await here.state();
    const { path } = await backUp(here, 'archive.tar', {
      async write(pieces) {
        await here.fill('late');
        const { writeNewFile } = await import('./new-file.js');
        await writeNewFile(join(here.dir, 'archive.tar'), pieces, 0);
      },
    });
    await restoreFrom(here, createReadStream(path));
    expect(await here.state()).toEqual(before);
  });

  test('takes the place of tables of a newer version', async () => {
    const before = await here.state();
    const { path } = await backUp(here);
    await run('create table newer (account_id bigint references account(id)); insert into newer values (1)');
    await run("create function of_newer() returns int language sql as 'select 1'");
    await run("insert into kysely_migration (name, timestamp) values ('9999-newer', 'now')");
    await restoreFrom(here, createReadStream(path));
    expect(await here.state()).toEqual(before);
    await run('create table newer (a int)');
    await run("create function of_newer() returns int language sql as 'select 1'");
  });

  test('that pg_restore refuses leaves the database and the files as they were', async () => {
    const { path } = await backUp(here);
    await here.fill('two');
    const before = await here.state();
    const outside = outsideOf(here.folder, here.testDatabase);
    if (outside === null) throw new Error('no database');
    let attempts = 0;
    const failing = {
      ...outside,
      async finish(): Promise<void> {
        attempts += 1;
        throw new Error('refused');
      },
    };
    await expect(restoreFrom(here, createReadStream(path), { outside: failing })).rejects.toThrow('refused');
    expect([attempts, await here.state()]).toEqual([1, before]);
    expect(existsSync(here.folder.restoreMarkerPath)).toBe(false);
  });

  test('that pg_restore refuses amid its work leaves them so too, and a dump of what was there', async () => {
    const { path } = await backUp(here);
    await here.fill('two');
    const before = await here.state();
    const address = addressOf(here.testDatabase);
    if (address === null) throw new Error('no database');
    const programs = postgresPrograms(address, process.env);
    let attempts = 0;
    const outside = postgresDatabase(here.folder, address, {
      ...programs,
      async run(name, words) {
        attempts += 1;
        if (attempts === 1) throw new Error('refused');
        await programs.run(name, words);
      },
    });
    await expect(restoreFrom(here, createReadStream(path), { outside })).rejects.toThrow('refused');
    expect([attempts, await here.state()]).toEqual([2, before]);
    expect(existsSync(here.folder.restoreMarkerPath)).toBe(false);
    expect(dumps()).toHaveLength(1);
  });

  test('is not loaded where another service wrote meanwhile, whose data stays', async () => {
    const { path } = await backUp(here);
    const outside = outsideOf(here.folder, here.testDatabase);
    let work: Promise<void> = Promise.resolve();
    const withLate = outside && {
      ...outside,
      async requireAlone(...words: Parameters<typeof outside.requireAlone>) {
        await work;
        await outside.requireAlone(...words);
      },
    };
    const { replacedDir } = await restoreFrom(here, createReadStream(path), {
      outside: withLate,
      // It has ended when the database is looked at.
      onStep(step) {
        if (step === 'marker written') work = addAccount('late');
      },
    });
    expect(await names()).toEqual(['one']);
    // In the dump, and back again with it.
    const words = [
      '--clean',
      '--if-exists',
      '--dbname',
      new URL(here.testDatabase.databaseUrl).pathname.slice(1),
    ];
    const address = addressOf(here.testDatabase);
    if (address === null) throw new Error('no database');
    await postgresPrograms(address, process.env).run('pg_restore', [
      ...words,
      join(String(replacedDir), 'lynceus.dump'),
    ]);
    expect(await names()).toEqual(['late', 'one']);
  });

  /** The database of a restore that another session connects to, just before this step of it. */
  function connectingAt(stage: 'requireAlone' | 'finish', onConnected: () => void = () => undefined) {
    const outside = outsideOf(here.folder, here.testDatabase);
    if (outside === null) throw new Error('no database');
    const other = new Client({ ...connectionOf(), application_name: 'lynceus' });
    const connecting = {
      ...outside,
      async [stage](marker: RestoreMarker, onStep: OnStep) {
        await other.connect();
        onConnected();
        await outside[stage](marker, onStep);
      },
    };
    return { outside: connecting, other };
  }

  test('is refused while a service is connected that came after the first look, and nothing changes', async () => {
    const { path } = await backUp(here);
    const before = filesIn(here.folder);
    for (const stage of ['requireAlone', 'finish'] as const) {
      const { outside, other } = connectingAt(stage);
      await expect(restoreFrom(here, createReadStream(path), { outside })).rejects.toThrow(
        /1 connections of services/,
      );
      await other.end();
      expect([stage, filesIn(here.folder), await names()]).toEqual([stage, before, ['one']]);
      expect(existsSync(here.folder.restoreMarkerPath)).toBe(false);
    }
  });

  test('waits for a connection that goes, as that of a process that was killed just before', async () => {
    const { path } = await backUp(here);
    await addAccount('late');
    for (const stage of ['requireAlone', 'finish'] as const) {
      const { outside, other } = connectingAt(stage, () => setTimeout(() => void other.end(), 1000));
      await restoreFrom(here, createReadStream(path), { outside });
      expect(await names()).toEqual(['one']);
    }
  });

  test('interrupted before the database changed is undone without it: what others wrote since stays', async () => {
    const { path } = await backUp(here);
    for (const crashAt of ['marker written', 'database dumped']) {
      const crashedAt = await crashAtStep(path, crashAt);
      expect(crashedAt).toBe(crashAt);
      await addAccount(`since ${crashAt}`);
      const marker = await readRestoreMarker(here.folder);
      if (marker === null) throw new Error('no marker');
      expect(marker.postgres).toEqual({ loading: null });
      await undoRestore(here.folder, marker, { database: outsideOf(here.folder, here.testDatabase) });
    }
    expect(await names()).toEqual(['one', 'since database dumped', 'since marker written']);
  });

  test('interrupted afterwards keeps a dump of what others wrote since, finished or undone', async () => {
    const { path } = await backUp(here);
    await addAccount('before');
    for (const how of ['finish', 'undo'] as const) {
      expect(await crashAtStep(path, 'database restored')).toBe('database restored');
      await addAccount(`since, ${how}`);
      const marker = await readRestoreMarker(here.folder);
      if (marker === null) throw new Error('no marker');
      expect(marker.postgres?.loading?.replacedDump).toMatch(/^backups\/replaced-.*\/lynceus\.dump$/);
      const database = outsideOf(here.folder, here.testDatabase);
      const other = new Client({ ...connectionOf(), application_name: 'lynceus' });
      await other.connect();
      const end = () =>
        how === 'finish'
          ? finishRestore(here.folder, marker, { database })
          : undoRestore(here.folder, marker, { database });
      await expect(end()).rejects.toThrow(/1 connections of services/);
      await other.end();
      const kept = dumps().length;
      await end();
      expect(dumps()).toHaveLength(kept + 1);
      expect(await names()).toEqual(['one']);
    }
  });

  test('is not restored while another folder of the installation is in service, unless an operator knows better', async () => {
    const { path } = await backUp(here);
    await run(`insert into data_folder (uid, label, generation, joined_at, started_at, seen_at)
      values ('another', 'host:/other', 1, 1, 1, ${Date.now()})`);
    await expect(restoreFrom(here, createReadStream(path))).rejects.toThrow(
      /host:\/other.*--others-stopped/s,
    );
    const address = addressOf(here.testDatabase);
    if (address === null) throw new Error('no database');
    const programs = postgresPrograms(address, process.env);
    const outside = postgresDatabase(here.folder, address, programs, { areOthersStopped: true });
    await restoreFrom(here, createReadStream(path), { outside });
    expect(await names()).toEqual(['one']);
  });

  test('is not restored beside another service, nor over the tables of another program', async () => {
    const { path } = await backUp(here);
    const other = await openCommandStorage(here.folder, here.testDatabase);
    await other.database.query.selectFrom('account').select('id').execute();
    await expect(restoreFrom(here, createReadStream(path))).rejects.toThrow(/connections of services/);
    await other.close();
    await run('drop table kysely_migration');
    await expect(restoreFrom(here, createReadStream(path))).rejects.toThrow(/another program/);
  });

  test('has nothing of its password', async () => {
    const { path } = await backUp(here);
    const { password } = new URL(here.testDatabase.databaseUrl);
    const bytes = readFileSync(path);
    expect(bytes.includes(password) || bytes.includes(decodeURIComponent(password))).toBe(false);
  });
});
