import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PostgresAddress } from '../../core/postgres-address.js';
import { postgresPrograms } from './postgres-programs.js';

const address: PostgresAddress = {
  host: 'db.example',
  port: 5432,
  database: 'lynceus',
  user: 'somebody',
  password: 'hidden & secret',
  encryption: 'verify-full',
  authoritiesPath: '',
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-programs-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A program in the place of PostgreSQL's. */
function programs(script: string) {
  mkdirSync(join(dir, 'bin'), { recursive: true });
  for (const name of ['pg_dump', 'pg_restore']) {
    writeFileSync(join(dir, 'bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(dir, 'bin', name), 0o755);
  }
  const path = `${join(dir, 'bin')}:/usr/bin:/bin`;
  return postgresPrograms(address, { PATH: path, PGPASSWORD: 'of another', PGOPTIONS: '-c x=y' });
}

async function read(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += Buffer.from(piece).toString('utf8');
  return text;
}

test('the password of the database is in no command line, and the address is that of the setting', async () => {
  const seen = join(dir, 'seen');
  const { output } = programs(`echo "$@" >${seen}; env | grep ^PG | sort; exit 0`);
  const said = await read(output('pg_dump', ['--format=custom']));
  expect(readFileSync(seen, 'utf8')).toBe('--format=custom --no-password\n');
  expect(said.trim().split('\n')).toEqual([
    ...['PGAPPNAME=lynceus backup', 'PGDATABASE=lynceus', 'PGHOST=db.example'],
    ...['PGPASSWORD=hidden & secret', 'PGPORT=5432', 'PGSSLMODE=verify-full', 'PGSSLROOTCERT=system'],
    'PGUSER=somebody',
  ]);
});

test('a program that is missing, too old or fails says what to do', async () => {
  const none = postgresPrograms(address, { PATH: join(dir, 'none') });
  await expect(none.check('pg_dump', 15)).rejects.toThrow(/pg_dump cannot be run.*postgresql-client/);
  await expect(read(none.output('pg_dump', []))).rejects.toThrow(/pg_dump cannot be run/);
  const old = programs('echo "pg_dump (PostgreSQL) 13.4 (Debian)"');
  await old.check('pg_dump', 13);
  await expect(old.check('pg_dump', 15)).rejects.toThrow(/13\.4.*older than the server \(15\)/);
  const failing = programs('echo part; echo "no such thing" >&2; exit 3');
  await expect(read(failing.output('pg_restore', []))).rejects.toThrow(
    'pg_restore failed (3): no such thing',
  );
});
