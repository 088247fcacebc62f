import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { fileBytesPath } from '../drops/files/folder-file-bytes.js';
import { blobPath } from '../storage/blobs/folder-blobs.js';
import { blobsDir, type DataFolder } from '../storage/data-folder.js';
import { hasFiles } from '../storage/identity/compare-files.js';
import { readFolderIdentity } from '../storage/identity/folder-identity.js';
import { requireOwnBucket } from '../storage/objects/claim-bucket.js';
import { blobKey } from '../storage/objects/object-blobs.js';
import { openConfiguredBucket } from '../storage/objects/object-storage.js';
import { openQuarantineOf, openSweepGuard } from '../storage/quarantine/open-quarantine.js';
import { openSweepSuspensions, type SweepSuspensions } from '../storage/quarantine/open-suspension.js';
import { dayOf, type Quarantine, type QuarantinedItem } from '../storage/quarantine/quarantine.js';
import { isStoreName, type StoreName, storeNames } from '../storage/quarantine/store-names.js';
import type { SweepGuard } from '../storage/quarantine/sweep-guard.js';
import { refuseDuringRestore } from '../storage/restore/restore-marker.js';
import { restoreSuspensionMs } from '../storage/sweep-suspension.js';
import { versionPath } from '../training/models/version-files.js';
import { type CommandContext, folderOf, settingsOf } from './context.js';
import { formatBytes } from './install-progress.js';
import { formatTable, formatTime } from './table.js';

interface Selection {
  readonly store?: StoreName;
  readonly all?: true;
  readonly olderThan?: string;
}

const dayMs = 86_400_000;
const storeOption = () => new Option('--store <store>', 'only those of this store').choices(storeNames);
const allOption = ['--all', 'all of them'] as const;

/** `orphans …`: files that no row of the database names, on the data folder itself, beside a service or without one. */
export function addOrphansCommand(program: Command, context: CommandContext): void {
  const orphans = program
    .command('orphans')
    .description(
      'files that no row of the database names: quarantine, and sweeps that wait for a confirmation',
    );

  orphans
    .command('list')
    .description('list the quarantine by day and store, and the sweeps that wait for a confirmation')
    .option('--items', 'each item')
    .addOption(storeOption())
    .action(async ({ items, store }: { readonly items?: true; readonly store?: StoreName }) => {
      const places = await openPlaces(context);
      const found = await collect(places, ({ store: each }) => store === undefined || each === store);
      context.print(items ? await formatItems(places, found) : await formatDays(places, found));
      for (const line of await describeWaiting(places)) context.note(line);
    });

  orphans
    .command('confirm')
    .description('let a blocked sweep move the orphans it found to quarantine')
    .argument('<store>', `one of ${storeNames.join(', ')}`)
    .action(async (store: string) => {
      await refuseDuringRestore(folderOf(context));
      const blocked = await (await openPlaces(context)).guard.confirm(toStore(store), Date.now());
      if (!blocked) throw new Error(`The sweep of ${store} does not wait for a confirmation.`);
      context.print(
        `Confirmed: ${blocked.orphans} of ${blocked.items} items of ${store} go to quarantine with the next sweep, at the start of the service or within the hour. If that sweep finds many more, it asks again.`,
      );
    });

  orphans
    .command('restore')
    .description(
      'move items from quarantine back, and suspend sweeps for 24 hours. Items that a row names return automatically',
    )
    .argument('[ids...]', 'as list --items shows them')
    .option(...allOption)
    .addOption(storeOption())
    .action(async (ids: string[], selection: Selection) => {
      const places = await openPlaces(context);
      const { quarantine } = places;
      await refuseDuringRestore(places.folder);
      const found = await select(places, ids, selection);
      const nowMs = Date.now();
      // First, so that no sweep moves them again at once.
      const untilMs = nowMs + restoreSuspensionMs;
      if (found.length > 0)
        await places.suspensions.suspend({ untilMs, reason: 'lynceus orphans restore' }, nowMs);
      const restored = await quarantine.restore(found.map((item) => ({ item, path: placeOf(places, item) })));
      context.print(`Restored: ${restored} of ${found.length} items.`);
      if (restored < found.length)
        context.note('The others stay in quarantine: another file is at their path.');
      if (found.length > 0) {
        context.note(
          `Sweeps are suspended until ${formatTime(untilMs)} UTC. Files that no row names by then return to quarantine. lynceus orphans resume ends the suspension.`,
        );
      }
    });

  orphans
    .command('purge')
    .description('delete items from quarantine now; this cannot be undone')
    .argument('[ids...]', 'as list --items shows them')
    .option(...allOption)
    .addOption(storeOption())
    .option('--older-than <days>', 'those that have been in quarantine for more days than this')
    .action(async (ids: string[], selection: Selection) => {
      const places = await openPlaces(context);
      await refuseDuringRestore(places.folder);
      const found = await select(places, ids, selection);
      await places.quarantine.delete(found);
      context.print(`Deleted: ${found.length} items.`);
    });

  orphans
    .command('resume')
    .description('end a suspension of sweeps, for example after a restore')
    .action(async () => {
      await refuseDuringRestore(folderOf(context));
      await (await openPlaces(context)).suspensions.resume();
      context.print('Sweeps are no longer suspended.');
    });
}

/** The requested items; none where no option names any. */
async function select(
  places: Places,
  ids: readonly string[],
  { store, all, olderThan }: Selection,
): Promise<readonly QuarantinedItem[]> {
  if (ids.length === 0 && !all && store === undefined && olderThan === undefined) {
    throw new Error('Name items by id, or choose them by --store, or take --all.');
  }
  const days = olderThan === undefined ? null : Number(olderThan);
  if (days !== null && !(Number.isInteger(days) && days >= 0)) {
    throw new Error(`--older-than must be a whole number of days, not ${olderThan}.`);
  }
  const before = days === null ? null : dayOf(Date.now() - days * dayMs);
  const found = await collect(
    places,
    (item) =>
      (ids.length === 0 || ids.includes(item.id)) &&
      (store === undefined || item.store === store) &&
      (before === null || item.day < before),
  );
  const missing = ids.filter((id) => !found.some((item) => item.id === id));
  if (missing.length > 0) throw new Error(`Not in quarantine: ${missing.join(', ')}.`);
  return found;
}

async function collect(
  { quarantine }: Places,
  isWanted: (item: QuarantinedItem) => boolean,
): Promise<readonly QuarantinedItem[]> {
  const found: QuarantinedItem[] = [];
  for await (const item of quarantine.list()) if (isWanted(item)) found.push(item);
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function formatDays({ quarantine }: Places, found: readonly QuarantinedItem[]): Promise<string> {
  const days = new Map<string, QuarantinedItem[]>();
  for (const item of found) {
    const key = `${item.day} ${item.store}`;
    days.set(key, [...(days.get(key) ?? []), item]);
  }
  const rows: string[][] = [];
  for (const [key, items] of days) {
    let bytes = 0;
    for (const item of items) bytes += await quarantine.sizeOf(item);
    rows.push([...key.split(' '), String(items.length), formatBytes(bytes)]);
  }
  return formatTable(['DAY', 'STORE', 'ITEMS', 'SIZE'], rows);
}

async function formatItems({ quarantine }: Places, found: readonly QuarantinedItem[]): Promise<string> {
  const rows: string[][] = [];
  for (const item of found) {
    const { day, store, accountId, id } = item;
    const account = accountId === null ? '-' : String(accountId);
    rows.push([day, store, account, formatBytes(await quarantine.sizeOf(item)), id]);
  }
  return formatTable(['DAY', 'STORE', 'ACCOUNT', 'SIZE', 'ID'], rows);
}

async function describeWaiting({ suspensions, guard }: Places): Promise<readonly string[]> {
  const suspension = await suspensions.read(Date.now());
  const blocked = await guard.listBlocked();
  return [
    ...(suspension
      ? [
          `Sweeps are suspended until ${formatTime(suspension.untilMs)} UTC (${suspension.reason}). lynceus orphans resume ends that.`,
        ]
      : []),
    ...[...blocked].map(
      ([store, { orphans, items, sinceMs }]) =>
        `The sweep of ${store} waits since ${formatTime(sinceMs)} UTC: ${orphans} of ${items} items have no row. Check that this is the right database, and up to date. If they are really orphaned: lynceus orphans confirm ${store}`,
    ),
  ];
}

/** Where items are, and were. */
interface Places {
  readonly folder: DataFolder;
  readonly quarantine: Quarantine;
  readonly guard: SweepGuard;
  readonly suspensions: SweepSuspensions;
  readonly isInBucket: boolean;
}

async function openPlaces(context: CommandContext): Promise<Places> {
  const { settings } = settingsOf(context);
  const folder = folderOf(context);
  const objects = settings.blobs === '' ? null : { bucket: await openConfiguredBucket(settings) };
  if (objects) await requireOwnBucket(folder, objects.bucket);
  await requireUsed(folder);
  return {
    folder,
    quarantine: openQuarantineOf(folder, objects),
    guard: openSweepGuard(folder, objects),
    suspensions: openSweepSuspensions(folder, objects),
    isInBucket: objects !== null,
  };
}

/** Throws for a folder that no service has used: it has no orphans, and those that are looked for are elsewhere. */
async function requireUsed(folder: DataFolder): Promise<void> {
  if ((await readFolderIdentity(folder)) !== null) return;
  if ((await hasFiles(folder)) || existsSync(folder.quarantineDir)) return;
  throw new Error(
    `The data folder ${folder.dir} was never registered: it has no id and no files, so no service has started on it. Set LYNCEUS_DATA_DIR to the folder of the service.`,
  );
}

/** Where an item was before. */
function placeOf({ folder, isInBucket }: Places, { store, id }: QuarantinedItem): string {
  switch (store) {
    case 'models':
      return isInBucket ? blobKey(store, id) : versionPath(folder.customModelsDir, id);
    case 'drops':
      if (isInBucket) return blobKey(store, id);
      return fileBytesPath(folder.dropsDir, id);
    default:
      return isInBucket ? blobKey(store, id) : blobPath(blobsDir(folder, store), id);
  }
}

function toStore(name: string): StoreName {
  if (isStoreName(name)) return name;
  throw new Error(`There is no store ${name}: it is one of ${storeNames.join(', ')}.`);
}
