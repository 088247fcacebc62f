import { createAccounts } from '#server/accounts/accounts.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { openServiceStorage } from '#server/storage/open-storage.js';

export interface AccountWanted {
  readonly account: string;
  readonly callLimit: number | null;
  readonly keys: number;
}

/** Makes the tables of an empty database, accounts and their keys; answers the keys of each account. */
export async function makeKeys(
  { databaseUrl, dir }: { readonly databaseUrl: string; readonly dir: string },
  wanted: readonly AccountWanted[],
): Promise<readonly (readonly string[])[]> {
  const { database, close } = await openServiceStorage(dataFolder(dir), { databaseUrl });
  try {
    const accounts = createAccounts({ database, clock: database.clock, trialCalls: 10, resultDays: 30 });
    const made: string[][] = [];
    for (const { account, callLimit, keys } of wanted) {
      await accounts.createAccount({ name: account, plan: 'paid', callLimit });
      const ofAccount: string[] = [];
      for (let at = 0; at < keys; at += 1) {
        ofAccount.push((await accounts.createKey({ account, name: `key ${at}`, expiresAt: null })).key);
      }
      made.push(ofAccount);
    }
    return made;
  } finally {
    await close();
  }
}
