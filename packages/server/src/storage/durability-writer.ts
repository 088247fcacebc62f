import { dataFolder } from './data-folder.js';
import { openServiceStorage } from './open-storage.js';

/** Run as a child of the durability test: writes from eight callers for ever and prints each name once it is acknowledged. */
const [dir = '', databaseUrl = '', round = ''] = process.argv.slice(2);
const { database } = await openServiceStorage(dataFolder(dir), { databaseUrl });
const write = async (caller: number): Promise<never> => {
  for (let count = 0; ; count += 1) {
    const name = `${round}-${caller}-${count}`;
    await database.write([
      database.query
        .insertInto('account')
        .values({ name, plan: 'paid', call_limit: null, result_days: 30, created_at: 1 }),
    ]);
    process.stdout.write(`${name}\n`);
  }
};
await Promise.all(Array.from({ length: 8 }, (_, caller) => write(caller)));
