import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { withHttp } from '../../delivery/fixtures/remote-http.js';
import { found } from '../../http/fixtures/scripted-runner.js';
import { createLeases, type Leases, type TakenJob } from '../../service/jobs/leases.js';
import { createLeaseOwner } from '../../storage/leases/lease-owner.js';
import { dropFileKind } from '../files/file-jobs.js';
import { put } from '../fixtures/drop-trial.js';
import { openWorkingDrop, type WorkingDrop } from '../fixtures/working-drop.js';

let service: WorkingDrop;
let photo: string;
beforeAll(async () => {
  service = await openWorkingDrop();
  await service.stopWork();
});
afterAll(() => service.close());
beforeEach(async () => {
  const image = sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } });
  photo = (await image.png().toBuffer()).toString('latin1');
});

const leases = (leaseMs: number) =>
  createLeases({ database: service.database, clock: Date.now, owner: createLeaseOwner(''), leaseMs });
const take = (from: Leases) => vi.waitUntil(() => from.take(dropFileKind), { timeout: 30_000 });
const run = (from: Leases, { job, lease }: TakenJob) =>
  service.store.work.run(job, {
    signal: new AbortController().signal,
    fence: from.fence(lease),
    progress: () => undefined,
  });
const putPhoto = async (folders: Parameters<typeof put>[0], name: string) => {
  const upload = await folders.receive(['incoming', name], { at: 'begin' });
  await upload.write(Buffer.from(photo, 'latin1'));
  await upload.finish();
};
const callsUsed = async () =>
  (await service.database.query.selectFrom('account').select('calls_used').execute())[0]?.calls_used ?? 0;

test('a prediction of a service that lost its lease is neither counted nor kept', async () => {
  const { drop, folders } = await service.makeDrop();
  await putPhoto(folders, 'a.png');
  const before = await callsUsed();
  const [dying, next] = [leases(1), leases(30_000)];
  const lost = await take(dying);
  let taken: TakenJob | undefined;
  service.runner.script = async () => {
    taken ??= await take(next);
    return found;
  };
  await expect(run(dying, lost)).rejects.toMatchObject({ code: 'not-null' });
  const rows = () =>
    service.database.query.selectFrom('drop_file').selectAll().where('drop_id', '=', drop.id).execute();
  expect(await rows()).toMatchObject([{ state: 'arrived', fileid: null, error: null }]);
  expect(await callsUsed()).toBe(before);
  if (taken === undefined) throw new Error('nobody took the file over');
  await run(next, taken);
  await next.end(taken.lease, { state: 'forgotten' });
  expect(await rows()).toMatchObject([{ state: 'done' }]);
  expect(await callsUsed()).toBe(before + 1);
  expect((await readdir(service.target)).filter((name) => name.startsWith('a'))).toEqual(['a.png']);
});

test('a delivery of a service that lost its lease meanwhile ends by the hand of the next one alone', async () => {
  const deliveries: string[] = [];
  const [dying, next] = [leases(1), leases(30_000)];
  let whileDelivering = async (): Promise<void> => undefined;
  await withHttp(
    (request, response) => {
      deliveries.push(request.url ?? '');
      request.resume().on('end', () => {
        void whileDelivering().then(() => response.writeHead(201).end());
      });
    },
    async (address) => {
      const { drop, folders } = await service.makeDrop({
        settings: { otherFiles: 'deliver' },
        destination: { settings: { kind: 'http', address: `${address}/in` }, secrets: {} },
      });
      await put(folders, ['incoming', 'notes.txt'], 'words');
      const lost = await take(dying);
      let taken: TakenJob | undefined;
      whileDelivering = async () => {
        taken ??= await take(next);
      };
      await expect(run(dying, lost)).rejects.toMatchObject({ code: 'not-null' });
      const rows = () =>
        service.database.query.selectFrom('drop_file').selectAll().where('drop_id', '=', drop.id).execute();
      expect(await rows()).toMatchObject([{ state: 'written', delivered_to: null, ended_at: null }]);
      if (taken === undefined) throw new Error('nobody took the file over');
      await run(next, taken);
      await next.end(taken.lease, { state: 'forgotten' });
      expect(await rows()).toMatchObject([{ state: 'done' }]);
      // The destination is asked again: nobody knows whether the first came through.
      expect(deliveries).toHaveLength(2);
    },
  );
});
