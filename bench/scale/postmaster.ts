import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { usageOf } from '../processes.js';

/** The process of a server on this machine that all its others come from. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const status = await readFile(`/proc/${rows[0]?.pid}/status`, 'utf8');
    return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
  } finally {
    await client.end();
  }
}

/** CPU of the server in milliseconds while something is done; of connections that stay. */
export async function databaseCpuMs(url: string, work: () => Promise<void>): Promise<number> {
  const pid = await postmasterOf(url);
  const before = await usageOf(pid);
  await work();
  const after = await usageOf(pid);
  return (after.cpuSeconds - before.cpuSeconds) * 1000;
}
