import type { Command } from 'commander';
import { type ListedReplica, listReplicas, timingOf } from '../service/replicas/replica-rows.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { type CommandContext, folderOf, settingsOf } from './context.js';
import { toPrintable } from './printable.js';
import { formatTable, formatTime } from './table.js';

/** `replicas`: the services that run on one database. */
export function addReplicasCommand(program: Command, context: CommandContext): void {
  program
    .command('replicas')
    .description('list the services that run on the database, and which one leads')
    .option('--json', 'answer a list of objects; times are milliseconds since 1970')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { settings } = settingsOf(context);
      const storage = await openCommandStorage(folderOf(context), settings);
      try {
        const { database } = storage;
        const list = await listReplicas(database, database.clock(), timingOf(settings));
        context.print(json ? JSON.stringify(list) : formatReplicas(list));
      } finally {
        await storage.close();
      }
    });
}

function formatReplicas(list: readonly ListedReplica[]): string {
  const rows = list.map(({ uid, host, version, roles, startedAt, seenAt, isAlive, isLeader }) => [
    uid,
    toPrintable(host),
    toPrintable(version),
    toPrintable(roles.join(',')),
    isAlive ? 'alive' : 'not seen',
    isLeader ? 'yes' : 'no',
    formatTime(startedAt),
    formatTime(seenAt),
  ]);
  return formatTable(['REPLICA', 'HOST', 'VERSION', 'ROLES', 'STATE', 'LEADS', 'STARTED', 'SEEN'], rows);
}
