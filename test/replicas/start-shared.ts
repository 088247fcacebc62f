import { findPostgres, startCluster } from '#bench/postgres/cluster.js';
import type { Shared } from '#bench/scale/replicas.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';

/** PostgreSQL and Ceph's gateway for replicas of one test file. */
export async function startShared(): Promise<{ readonly shared: Shared; stop(): Promise<void> }> {
  const programs = findPostgres();
  if (programs === null) throw new Error('PostgreSQL (initdb and pg_ctl) is not installed.');
  const cluster = await startCluster(programs);
  try {
    const store = await startRadosgw();
    return {
      shared: { ...store, adminUrl: cluster.url('postgres') },
      async stop() {
        await store.stop();
        await cluster.remove();
      },
    };
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}
