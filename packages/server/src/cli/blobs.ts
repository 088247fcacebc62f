import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { openFolderBlobs } from '../storage/blobs/folder-blobs.js';
import { ownerOfId } from '../storage/blobs/owned-id.js';
import { blobsDir } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import { othersStoppedFlag, requireOthersStopped } from '../storage/identity/other-services.js';
import {
  requireBucket,
  requireOwnBucket,
  switchToBucket,
  switchToFolder,
} from '../storage/objects/claim-bucket.js';
import { compareBlobs, copyBlobs, type Left, missingIn } from '../storage/objects/move-blobs.js';
import { namedBlobs } from '../storage/objects/named-blobs.js';
import {
  type MovedStoreName,
  movedStores,
  type ObjectStorage,
  openObjectStorage,
} from '../storage/objects/object-storage.js';
import { openServiceStorage } from '../storage/open-storage.js';
import { copyToQuarantine } from '../storage/quarantine/object-quarantine.js';
import { type OrphanedItem, openQuarantine } from '../storage/quarantine/quarantine.js';
import { createVersionTars } from '../training/models/version-tars.js';
import { type CommandContext, folderOf, settingsOf } from './context.js';
import { formatBytes } from './install-progress.js';
import { withStopSignal } from './stop-signal.js';
import { formatTable } from './table.js';
import { createTemporaryFolder } from './temporary-folder.js';

type Place = 'bucket' | 'folder';

/** Of names that are listed. */
const maxShown = 20;

const toOption = () =>
  new Option('--to <place>', 'bucket: that of LYNCEUS_BLOBS; folder: the data folder')
    .choices(['bucket', 'folder'])
    .makeOptionMandatory();

/** `blobs …`: moves images and models between the data folder and a bucket. */
export function addBlobsCommand(program: Command, context: CommandContext): void {
  const blobs = program
    .command('blobs')
    .description('move images and models between the data folder and the bucket of LYNCEUS_BLOBS');

  blobs
    .command('copy')
    .description('copy what the other place has not yet, also while the service runs; continues where it was')
    .addOption(toOption())
    .option(
      '--replace',
      'read every byte of both, and copy what differs again; what is replaced goes to quarantine first',
    )
    .action(async ({ to, replace = false }: { readonly to: Place; readonly replace?: boolean }) => {
      await withBothPlaces(context, (stores) => copyAll(context, stores, to, replace));
    });

  blobs
    .command('verify')
    .description('compare the copy with its original; changes nothing')
    .addOption(toOption())
    .option('--content', 'read every byte of both, and not their lengths alone')
    .action(async ({ to, content = false }: { readonly to: Place; readonly content?: boolean }) => {
      await withBothPlaces(context, (stores) => verifyAll(context, stores, to, content));
    });

  blobs
    .command('switch')
    .description(
      'copy the rest, verify, and have the services look in the other place from their next start on; they must be stopped',
    )
    .addOption(toOption())
    .option(
      othersStoppedFlag,
      'services on other data folders have ended, although the database does not know it',
    )
    .action(
      async ({ to, othersStopped = false }: { readonly to: Place; readonly othersStopped?: boolean }) => {
        const { settings } = settingsOf(context);
        const folder = folderOf(context);
        // Holds the folder, as a service does.
        const storage = await openServiceStorage(folder, settings);
        try {
          const { database } = storage;
          if (to === 'folder') await requireNoDropFiles(database);
          if (!othersStopped)
            await requireOthersStopped(database, folder, Date.now(), 'Nothing was switched');
          await withBothPlaces(context, async (stores) => {
            await requireBucket(database, to === 'bucket' ? null : stores.objects.bucket);
            await copyAll(context, stores, to, false);
            await verifyAll(context, stores, to, false);
            await requireNamed(database, stores, to);
            // The copy may have taken hours.
            if (!othersStopped)
              await requireOthersStopped(database, folder, Date.now(), 'Nothing was switched');
            if (to === 'bucket') await switchToBucket(database, stores.objects.bucket);
            else await switchToFolder(database);
          });
        } finally {
          await storage.close();
        }
        context.print(
          to === 'bucket'
            ? `Start the services with LYNCEUS_BLOBS=${settings.blobs}. Each moves the files of drops in its own data folder at that start. The files in ${folder.dir}/blobs and ${folder.customModelsDir} are no longer used; delete them when you are sure.`
            : `Start the service without LYNCEUS_BLOBS. The objects in ${settings.blobs} are no longer used; delete them when you are sure.`,
        );
      },
    );
}

/** Of a store in either place. */
type MovedStore = Pick<BlobStore, 'list' | 'read' | 'write' | 'sizeOf' | 'placeOf'>;

interface BothPlaces {
  readonly objects: ObjectStorage;
  readonly folder: (store: MovedStoreName) => Promise<MovedStore>;
  /** Keeps in quarantine what is about to be replaced; false where it cannot be kept. */
  readonly setAside: (to: Place, store: MovedStoreName, item: OrphanedItem) => Promise<boolean>;
  readonly signal: AbortSignal;
}

async function withBothPlaces(
  context: CommandContext,
  work: (stores: BothPlaces) => Promise<void>,
): Promise<void> {
  const { settings } = settingsOf(context);
  const folder = folderOf(context);
  const { dir, remove } = await createTemporaryFolder('blobs');
  const caches = { dir, blobCacheDir: join(dir, 'files'), modelCacheDir: join(dir, 'models') };
  const objects = await openObjectStorage(settings, caches);
  try {
    if (objects === null) throw new Error('Set LYNCEUS_BLOBS to the bucket, such as s3://my-bucket/lynceus.');
    await requireOwnBucket(folder, objects.bucket);
    await withStopSignal('Stopped. What was copied stays; run it again to continue.', (signal) =>
      work({
        objects,
        folder: async (store) =>
          store === 'models'
            ? createVersionTars(folder.customModelsDir)
            : openFolderBlobs(blobsDir(folder, store), { mayServiceBeRunning: true }),
        async setAside(to, store, item) {
          if (to === 'bucket') return copyToQuarantine(objects.bucket, store, item, Date.now());
          return (await openQuarantine(folder.quarantineDir).move(store, [item], Date.now())) === 1;
        },
        signal,
      }),
    );
  } finally {
    objects?.close();
    await remove();
  }
}

async function sidesOf(
  { objects, folder }: BothPlaces,
  store: MovedStoreName,
  to: Place,
): Promise<readonly [MovedStore, MovedStore]> {
  const [inFolder, inBucket] = [await folder(store), objects.blobs(store)];
  return to === 'bucket' ? [inFolder, inBucket] : [inBucket, inFolder];
}

async function copyAll(
  context: CommandContext,
  stores: BothPlaces,
  to: Place,
  isReplacing: boolean,
): Promise<void> {
  const rows: string[][] = [];
  const left: string[] = [];
  for (const store of movedStores) {
    const [from, target] = await sidesOf(stores, store, to);
    const setAside = (id: string) =>
      stores.setAside(to, store, { id, path: target.placeOf(id), accountId: ownerOfId(id) });
    const copied = await copyBlobs(from, target, stores, isReplacing ? { setAside } : undefined);
    const { blobs, written, replaced, writtenBytes } = copied;
    rows.push([store, String(blobs), String(written), String(replaced), formatBytes(writtenBytes)]);
    for (const { id, reason } of copied.left) left.push(`${store}/${id} ${whyLeft[reason]}`);
  }
  context.print(formatTable(['STORE', 'FILES', 'COPIED', 'REPLACED', 'SIZE'], rows));
  if (left.length === 0) return;
  for (const line of left.slice(0, maxShown)) context.note(line);
  throw new Error(`${left.length} files have other bytes in the ${to} still.`);
}

const whyLeft: Readonly<Record<Left['reason'], string>> = {
  'not-set-aside':
    'is in quarantine since today with yet other bytes: delete it there ("lynceus orphans purge"), or run this again tomorrow',
  damaged: 'is damaged itself: it has another SHA-256 than was written',
};

async function verifyAll(
  context: CommandContext,
  stores: BothPlaces,
  to: Place,
  isContentRead: boolean,
): Promise<void> {
  const wrong: string[] = [];
  let checked = 0;
  for (const store of movedStores) {
    const [from, target] = await sidesOf(stores, store, to);
    const found = await compareBlobs(from, target, { signal: stores.signal, isContentRead });
    checked += found.blobs;
    for (const id of found.missing) wrong.push(`${store}/${id} is missing in the ${to}`);
    for (const id of found.different) wrong.push(`${store}/${id} has other bytes in the ${to}`);
  }
  if (wrong.length === 0) {
    context.print(`The ${to} has all ${checked} files${isContentRead ? ', byte for byte' : ''}.`);
    return;
  }
  for (const line of wrong.slice(0, maxShown)) context.note(line);
  throw new Error(
    `${wrong.length} of ${checked} files differ. Run "lynceus blobs copy" again, with --replace where they have other bytes in the ${to} and the original is right.`,
  );
}

/** Also of files that were in neither place: those of other data folders, say. */
async function requireNamed(database: Database, stores: BothPlaces, to: Place): Promise<void> {
  for (const store of movedStores) {
    const [, target] = await sidesOf(stores, store, to);
    for await (const ids of namedBlobs(database, store)) {
      const missing = await missingIn(target, ids);
      if (missing.length === 0) continue;
      throw new Error(
        `The database names files of ${store} that are not in the ${to}, such as ${missing[0]}. Run "lynceus blobs copy" for each data folder of the installation first. Nothing was switched.`,
      );
    }
  }
}

/** A file of a drop is several objects in the bucket, and its rows say which: there is no way back for it. */
async function requireNoDropFiles({ query }: Database): Promise<void> {
  const { files, waiting } = await query
    .selectFrom('drop_file')
    .select((row) => [
      row.fn.countAll<number>().as('files'),
      row.fn.countAll<number>().filterWhere('ended_at', 'is', null).as('waiting'),
    ])
    .executeTakeFirstOrThrow();
  if (Number(files) === 0) return;
  throw new Error(
    `The drops have ${files} files in the bucket, of which ${waiting} wait to be delivered, and files of drops are not moved back into a folder. Start the service as before, stop what uploads to it, wait until all are delivered, delete what is left in incoming, done and failed by FTP or on the page of each drop, and run this again. Nothing was switched.`,
  );
}
