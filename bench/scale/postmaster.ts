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

/** CPU of the server in milliseconds while something is done, with that of connections that ended. */
export async function databaseCpuMs(url: string, work: () => Promise<void>): Promise<number> {
  const pid = await postmasterOf(url);
  const cpuMs = async () => (await usageOf(pid)).cpuSeconds * 1000 + (await endedCpuMs(pid));
  const before = await cpuMs();
  await work();
  return (await cpuMs()) - before;
}

/** Of children that ended: fields 16 and 17 of /proc/PID/stat, in hundredths of a second (proc(5)). */
async function endedCpuMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
