import { randomBytes } from 'node:crypto';
import { copyFile, rename, rm } from 'node:fs/promises';
import { Client } from 'pg';
import { dataFolder } from '#server/storage/data-folder.js';

/** A data folder and the name of its database, which on SQLite is in the folder. */
export interface Installation {
  readonly dataDir: string;
  readonly database: string;
}

/** Operations on a database while no service uses it. */
export interface Databases {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** How a service reaches it. */
  settings(installation: Installation): Readonly<Record<string, string>>;
  /** Before the first start of a service. */
  create(): Promise<string>;
  /** A copy, to replace another database. */
  save(installation: Installation): Promise<string>;
  putBack(installation: Installation, saved: string): Promise<void>;
  /** It is deleted; on PostgreSQL an operator created a new one of that name. */
  remove(installation: Installation): Promise<void>;
  swap(one: Installation, other: Installation): Promise<readonly [Installation, Installation]>;
  close(): Promise<void>;
}

export function sqliteDatabases(dir: string): Databases {
  const pathOf = ({ dataDir }: Installation) => dataFolder(dataDir).databasePath;
  const remove = async (installation: Installation) => {
    for (const ending of ['', '-wal', '-shm']) await rm(pathOf(installation) + ending, { force: true });
  };
  return {
    kind: 'SQLite',
    settings: ({ dataDir }) => ({ LYNCEUS_DATA_DIR: dataDir, LYNCEUS_DATABASE_URL: '' }),
    create: async () => '',
    async save(installation) {
      const saved = `${dir}/${newName()}.db`;
      await copyFile(pathOf(installation), saved);
      return saved;
    },
    async putBack(installation, saved) {
      await remove(installation);
      await copyFile(saved, pathOf(installation));
    },
    remove,
    async swap(one, other) {
      const aside = `${dir}/${newName()}.db`;
      await rename(pathOf(one), aside);
      await rename(pathOf(other), pathOf(one));
      await rename(aside, pathOf(other));
      return [one, other];
    },
    close: async () => {},
  };
}

/** @param adminUrl of a server where its user may create databases */
export function postgresDatabases(adminUrl: string): Databases {
  const made: string[] = [];
  const administer = async (statement: string) => {
    const client = new Client(adminUrl);
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const drop = (name: string) => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  const makeFrom = async (name: string, template: string) => {
    await drop(name);
    await administer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    made.push(name);
    return name;
  };
  return {
    kind: 'PostgreSQL',
    settings({ dataDir, database }) {
      const url = Object.assign(new URL(adminUrl), { pathname: `/${database}` });
      return { LYNCEUS_DATA_DIR: dataDir, LYNCEUS_DATABASE_URL: url.href };
    },
    create: () => makeFrom(newName(), 'template0'),
    save: ({ database }) => makeFrom(newName(), database),
    putBack: async ({ database }, saved) => void (await makeFrom(database, saved)),
    remove: async ({ database }) => void (await makeFrom(database, 'template0')),
    swap: async (one, other) => [
      { ...one, database: other.database },
      { ...other, database: one.database },
    ],
    async close() {
      for (const name of made) await drop(name);
    },
  };
}

function newName(): string {
  return `safety_${randomBytes(6).toString('hex')}`;
}
