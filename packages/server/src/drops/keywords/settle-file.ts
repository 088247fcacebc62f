import { chmod, open } from 'node:fs/promises';

/** Makes what another program wrote ours alone (mode 0600), and puts it on disk for good. */
export async function settleFile(path: string): Promise<void> {
  await chmod(path, 0o600);
  await settleFolder(path);
}

/** Puts the names in a folder on disk for good. */
export async function settleFolder(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
