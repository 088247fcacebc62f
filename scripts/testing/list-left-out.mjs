import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/prepare.mjs';

/** What `npm test` leaves to the full run, one line each. */
export function listLeftOut() {
  const slow = ['packages/engine/src', 'packages/server/src', 'bench', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.slow.test.ts'))
      .map((path) => `${folder}/${path}`),
  );
  return [
    `${slow.length} test files whose names end in .slow.test.ts (npm run test:full)`,
    'tests of stores on PostgreSQL, .db.test.ts and .postgres.test.ts (npm run test:full)',
  ];
}
