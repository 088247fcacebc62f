import type { TestProject } from 'vitest/node';
import { shareByReplicas } from '#bench/scale/replicas.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';
import { providePostgres } from '../postgres/global-setup.js';

declare module 'vitest' {
  interface ProvidedContext {
    replicas?: { readonly bucket: string; readonly endpoint: string };
  }
}

/**
 * For `npm run test:replicas`: services that tests start are two replicas, on this server and this bucket, both those in
 * processes of their own and those of the server's tests over HTTP.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await providePostgres(project);
  if (cluster === null) throw new Error('PostgreSQL (initdb and pg_ctl) is not installed.');
  try {
    const store = await startRadosgw();
    shareByReplicas({ ...store, adminUrl: cluster.url('postgres') });
    process.env['AWS_ACCESS_KEY_ID'] = store.accessKeyId;
    process.env['AWS_SECRET_ACCESS_KEY'] = store.secretAccessKey;
    project.provide('replicas', { bucket: store.bucket, endpoint: store.endpoint });
    return async () => {
      await store.stop();
      await cluster.remove();
    };
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}
