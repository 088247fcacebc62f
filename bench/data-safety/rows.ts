import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommandHere } from '../in-this-process.js';
import type { Databases, Installation } from './databases.js';
import type { Prepared } from './prepare.js';

/** The effect of starting a service on the data. */
export type Outcome =
  /** It runs, and sweeps. */
  | 'starts'
  /** It runs without sweeps. */
  | 'suspended'
  /** It does not start, and changes nothing. */
  | 'refused';

export interface DataFault {
  readonly name: string;
  readonly only?: Databases['kind'];
  readonly expected: Outcome;
  /** Does it to a copy of what was prepared; answers where services are to be started then. */
  happen(trial: Trial): Promise<readonly Installation[]>;
}

export interface Trial {
  readonly databases: Databases;
  readonly prepared: Prepared;
  /** A copy of the installation, for this row alone. */
  readonly installation: Installation;
  /** And one of another installation. */
  readonly other: Installation;
}

const stores = ['blobs', 'custom-models', 'drops'];

/** Mishaps of installations, one per row. */
export const dataFaults: readonly DataFault[] = [
  { name: 'a restart', expected: 'starts', happen: async ({ installation }) => [installation] },
  {
    name: 'a backup, then a restart',
    only: 'SQLite',
    expected: 'starts',
    async happen({ databases, installation }) {
      await runCommandHere(
        ['backup', join(installation.dataDir, 'backups', 'mine.db')],
        databases.settings(installation),
      );
      return [installation];
    },
  },
  {
    name: 'restored on an empty machine',
    only: 'SQLite',
    expected: 'suspended',
    async happen({ databases, prepared, installation }) {
      const fresh = { ...installation, dataDir: `${installation.dataDir}-fresh` };
      await copyNames(installation.dataDir, fresh.dataDir, stores);
      await runCommandHere(['restore', prepared.current], databases.settings(fresh));
      return [fresh];
    },
  },
  {
    name: 'restored on an empty machine',
    only: 'PostgreSQL',
    expected: 'starts',
    async happen({ databases, prepared, installation }) {
      const fresh = { ...installation, dataDir: `${installation.dataDir}-fresh` };
      await copyNames(installation.dataDir, fresh.dataDir, [...stores, 'installation.json', 'secret-key']);
      await databases.putBack(fresh, prepared.current);
      return [fresh];
    },
  },
  {
    name: 'an archive is restored on an empty machine',
    expected: 'suspended',
    async happen({ databases, installation }) {
      const archive = `${installation.dataDir}.tar`;
      await runCommandHere(
        ['backup', archive, '--with-files', '--with-secrets'],
        databases.settings(installation),
      );
      const fresh = { ...installation, dataDir: `${installation.dataDir}-fresh` };
      await runCommandHere(['restore', archive, '--with-files'], databases.settings(fresh));
      return [fresh];
    },
  },
  {
    name: 'an older archive is restored',
    expected: 'suspended',
    async happen({ databases, prepared, installation }) {
      const archive = `${installation.dataDir}.tar`;
      await runCommandHere(['backup', archive, '--with-files'], databases.settings(installation));
      // As if it had been written to since.
      await databases.putBack(installation, prepared.current);
      await runCommandHere(['restore', archive, '--with-files'], databases.settings(installation));
      return [installation];
    },
  },
  {
    name: 'an older backup is put in place',
    expected: 'suspended',
    async happen({ databases, prepared, installation }) {
      await databases.putBack(installation, prepared.older);
      return [installation];
    },
  },
  {
    name: 'an older backup is restored',
    only: 'SQLite',
    expected: 'suspended',
    async happen({ databases, prepared, installation }) {
      await runCommandHere(['restore', prepared.older], databases.settings(installation));
      return [installation];
    },
  },
  {
    name: 'an older copy of the folder is unpacked over it',
    expected: 'suspended',
    async happen({ prepared, installation }) {
      await cp(prepared.olderDir, installation.dataDir, {
        recursive: true,
        filter: (path) => !/(lynceus|lock)\.db/.test(path),
      });
      return [installation];
    },
  },
  {
    name: 'the database is gone',
    expected: 'refused',
    async happen({ databases, installation }) {
      await databases.remove(installation);
      return [installation];
    },
  },
  {
    name: 'LYNCEUS_DATABASE_URL is unset',
    only: 'PostgreSQL',
    expected: 'refused',
    happen: async ({ installation }) => [{ ...installation, database: '' }],
  },
  {
    name: 'the database of another installation',
    expected: 'refused',
    async happen({ databases, installation, other }) {
      await databases.putBack(installation, await databases.save(other));
      return [installation];
    },
  },
  {
    name: 'two folders swapped',
    expected: 'refused',
    happen: ({ databases, installation, other }) => databases.swap(installation, other),
  },
  {
    name: 'an empty folder on the database',
    only: 'PostgreSQL',
    expected: 'refused',
    happen: async ({ installation }) => [{ ...installation, dataDir: `${installation.dataDir}-empty` }],
  },
];

async function copyNames(from: string, to: string, names: readonly string[]): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of names) {
    await cp(join(from, name), join(to, name), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
