import { findPostgres, startCluster } from '#bench/postgres/cluster.js';
import { shareByReplicas } from '#bench/scale/replicas.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';

/** For `npm run test:replicas`: services that tests start are two replicas, on this server and this bucket. */
export default async function setup(): Promise<() => Promise<void>> {
  const programs = findPostgres();
  if (programs === null) throw new Error('PostgreSQL (initdb and pg_ctl) is not installed.');
  const cluster = await startCluster(programs);
  try {
    const store = await startRadosgw();
    shareByReplicas({ ...store, adminUrl: cluster.url('postgres') });
    return async () => {
      await store.stop();
      await cluster.remove();
    };
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}
