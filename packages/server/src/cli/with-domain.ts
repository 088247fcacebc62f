import type { Actor } from '../accounts/audit/audit-event.js';
import type { Users } from '../accounts/users/users.js';
import type { Core } from '../service/core.js';
import { createServices, type Services } from '../services.js';
import type { Database } from '../storage/database.js';
import { videoKind } from '../streams/videos/video.js';
import { trainModelKind } from '../training/models/job-kinds.js';
import { type CommandCoreOptions, withCommandCore } from './command-core.js';
import type { CommandContext } from './context.js';

/** Whoever has the command line, as the audit log names them. */
export const operator: Actor = { kind: 'operator', id: null, name: 'operator', address: null };

/** The domains of the service, for the time of one command, beside a running service or without one. */
export function withServices<T>(
  context: CommandContext,
  work: (services: Services, core: Core) => Promise<T>,
  options: CommandCoreOptions = { usesFiles: false },
): Promise<T> {
  return withCommandCore(context, options, async (core) => {
    const services = createServices(core);
    try {
      return await work(services, core);
    } finally {
      await services.close();
    }
  });
}

/** The users of the installation. */
export function withUsers<T>(context: CommandContext, work: (users: Users) => Promise<T>): Promise<T> {
  return withServices(context, async ({ users }) => work((await users()).users));
}

interface OpenAccount extends Pick<Core, 'settings' | 'database' | 'jobs' | 'installedModel'> {
  readonly accountId: number;
}

type WithDomain<Domain> = <T>(
  context: CommandContext,
  account: string,
  work: (opened: Domain & OpenAccount) => Promise<T>,
  options?: Omit<CommandCoreOptions, 'usesFiles'>,
) => Promise<T>;

/** What the work of one of these commands is given. */
export type Opened<With> = With extends WithDomain<infer Domain> ? Domain & OpenAccount : never;

function ofDomain<Domain>(
  open: (services: Services, core: Core) => Promise<Domain>,
  usual: Omit<CommandCoreOptions, 'usesFiles'> = {},
): WithDomain<Domain> {
  return (context, account, work, options = usual) =>
    withServices(
      context,
      async (services, core) => {
        const { settings, database, jobs, installedModel } = core;
        const accountId = await findAccount(database, account);
        const domain = await open(services, core);
        return work({ ...domain, settings, database, jobs, installedModel, accountId });
      },
      { ...options, usesFiles: true },
    );
}

const openDatasets = async ({ datasets }: Services, { spool, settings }: Core) => ({
  store: (await datasets()).datasets,
  spool,
  maxImageBytes: settings.maxImageBytes,
});

/** Those of one account, each. */
export const withDatasets = ofDomain(openDatasets);
export const withDrops = ofDomain(async ({ drops }) => (await drops()).dropStore);
export const withStreams = ofDomain(async ({ streams }) => (await streams()).streamStore);
export const withVideos = ofDomain(async ({ videos }) => {
  const { videoStore, kinds = [] } = await videos();
  const work = kinds.find(({ kind }) => kind === videoKind);
  if (!work) throw new Error(`there is no job of the kind ${videoKind}`);
  return { ...videoStore, work };
});
export const withFaces = ofDomain(async ({ faces }) => ({ faces: (await faces()).faces }), { processes: 1 });
export const withModels = ofDomain(async ({ models }) => {
  const { customModels, uploadVersion } = await models();
  return { ...customModels, uploadVersion };
});
export const withTraining = ofDomain(async (services, core) => {
  const {
    customModels,
    modelWork: { startRun, kinds },
  } = await services.models();
  const trainModel = kinds.find(({ kind }) => kind === trainModelKind);
  if (!trainModel) throw new Error(`there is no job of the kind ${trainModelKind}`);
  return { ...(await openDatasets(services, core)), customModels, startRun, trainModel };
});

/** The id of the account that a command is for. */
export async function findAccount({ query }: Pick<Database, 'query'>, name: string): Promise<number> {
  const row = await query.selectFrom('account').select('id').where('name', '=', name).executeTakeFirst();
  if (row) return row.id;
  const other = await query.selectFrom('account').select('id').limit(1).executeTakeFirst();
  if (other) throw new Error(`There is no account "${name}"; accounts list shows all`);
  throw new Error(
    'The database has no account: no service has started on it. Correct LYNCEUS_DATABASE_URL (without it, the database is in LYNCEUS_DATA_DIR), or start the service once.',
  );
}
