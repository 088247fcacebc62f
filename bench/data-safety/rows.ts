import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../service.js';
import type { Databases, Place } from './databases.js';
import type { Prepared } from './prepare.js';

/** What a start of a service on the data does in the end. */
export type Outcome =
  /** It sweeps, as ever. */
  | 'starts'
  /** It runs, and its sweeps rest. */
  | 'suspended'
  /** It does not start, and changes nothing. */
  | 'refused';

export interface Mishap {
  readonly name: string;
  readonly only?: Databases['kind'];
  readonly expected: Outcome;
  /** Does it to a copy of what was prepared; answers where services are to be started then. */
  happen(trial: Trial): Promise<readonly Place[]>;
}

export interface Trial {
  readonly databases: Databases;
  readonly prepared: Prepared;
  /** A copy of the installation, for this row alone. */
  readonly place: Place;
  /** And one of another installation. */
  readonly other: Place;
}

const stores = ['blobs', 'custom-models', 'drops'];

/** What goes wrong in the lives of installations, a row each. */
export const mishaps: readonly Mishap[] = [
  { name: 'a restart', expected: 'starts', happen: async ({ place }) => [place] },
  {
    name: 'a backup, then a restart',
    only: 'SQLite',
    expected: 'starts',
    async happen({ databases, place }) {
      await runCommand(['backup', join(place.dataDir, 'backups', 'mine.db')], databases.settings(place));
      return [place];
    },
  },
  {
    name: 'restored on an empty machine',
    only: 'SQLite',
    expected: 'suspended',
    async happen({ databases, prepared, place }) {
      const fresh = { ...place, dataDir: `${place.dataDir}-fresh` };
      await copyNames(place.dataDir, fresh.dataDir, stores);
      await runCommand(['restore', prepared.current], databases.settings(fresh));
      return [fresh];
    },
  },
  {
    name: 'restored on an empty machine',
    only: 'PostgreSQL',
    expected: 'starts',
    async happen({ databases, prepared, place }) {
      const fresh = { ...place, dataDir: `${place.dataDir}-fresh` };
      await copyNames(place.dataDir, fresh.dataDir, [...stores, 'installation.json', 'secret-key']);
      await databases.putBack(fresh, prepared.current);
      return [fresh];
    },
  },
  {
    name: 'an archive is restored on an empty machine',
    expected: 'suspended',
    async happen({ databases, place }) {
      const archive = `${place.dataDir}.tar`;
      await runCommand(['backup', archive, '--with-files', '--with-secrets'], databases.settings(place));
      const fresh = { ...place, dataDir: `${place.dataDir}-fresh` };
      await runCommand(['restore', archive, '--with-files'], databases.settings(fresh));
      return [fresh];
    },
  },
  {
    name: 'an older archive is restored',
    expected: 'suspended',
    async happen({ databases, prepared, place }) {
      const archive = `${place.dataDir}.tar`;
      await runCommand(['backup', archive, '--with-files'], databases.settings(place));
      // As if it had been written to since.
      await databases.putBack(place, prepared.current);
      await runCommand(['restore', archive, '--with-files'], databases.settings(place));
      return [place];
    },
  },
  {
    name: 'an older backup is put in place',
    expected: 'suspended',
    async happen({ databases, prepared, place }) {
      await databases.putBack(place, prepared.older);
      return [place];
    },
  },
  {
    name: 'an older backup is restored',
    only: 'SQLite',
    expected: 'suspended',
    async happen({ databases, prepared, place }) {
      await runCommand(['restore', prepared.older], databases.settings(place));
      return [place];
    },
  },
  {
    name: 'an older copy of the folder is unpacked over it',
    expected: 'suspended',
    async happen({ prepared, place }) {
      await cp(prepared.olderDir, place.dataDir, {
        recursive: true,
        filter: (path) => !/(lynceus|lock)\.db/.test(path),
      });
      return [place];
    },
  },
  {
    name: 'the database is gone',
    expected: 'refused',
    async happen({ databases, place }) {
      await databases.remove(place);
      return [place];
    },
  },
  {
    name: 'LYNCEUS_DATABASE_URL is unset',
    only: 'PostgreSQL',
    expected: 'refused',
    happen: async ({ place }) => [{ ...place, database: '' }],
  },
  {
    name: 'the database of another installation',
    expected: 'refused',
    async happen({ databases, place, other }) {
      await databases.putBack(place, await databases.save(other));
      return [place];
    },
  },
  {
    name: 'two folders swapped',
    expected: 'refused',
    happen: ({ databases, place, other }) => databases.swap(place, other),
  },
  {
    name: 'an empty folder on the database',
    only: 'PostgreSQL',
    expected: 'refused',
    happen: async ({ place }) => [{ ...place, dataDir: `${place.dataDir}-empty` }],
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
