import { Type } from 'typebox';
import { BuiltInModel, toBuiltIn } from '../built-in-models.js';
import { Time, toTime } from '../fields.js';
import type { ApiDeps, ApiScope } from '../scope.js';

export const ServiceState = Type.Object(
  {
    version: Type.String(),
    started_at: Time,
    uptime_seconds: Type.Integer(),
    is_ready: Type.Boolean(),
    components: Type.Array(
      Type.Object({
        name: Type.String(),
        is_ready: Type.Boolean(),
        reason: Type.Union([Type.String(), Type.Null()], { description: 'what is missing' }),
        notices: Type.Array(Type.String(), {
          description: 'what an administrator should look at, though it is ready',
        }),
      }),
    ),
    inference: Type.Object({
      queued: Type.Integer({ description: 'jobs that wait for a process' }),
      crashed: Type.Integer({ description: 'processes that ended unasked, since the start' }),
      recycled: Type.Integer({ description: 'replaced for their size' }),
      outgrown: Type.Integer({ description: 'ended above the memory that a job may take' }),
      timeouts: Type.Integer({ description: 'jobs past their time' }),
      int8: Type.Union([Type.Enum(['native', 'unsigned-weights', 'inexact']), Type.Null()], {
        description:
          'how graphs with 8-bit weights are run on this CPU, by a self-test: as they are; with their weights made unsigned, ' +
          'where int8 products saturate; or not exactly. Null until a process is ready',
      }),
      processes: Type.Array(
        Type.Object({
          pid: Type.Union([Type.Integer(), Type.Null()]),
          state: Type.Enum(['starting', 'idle', 'busy']),
          memory_bytes: Type.Integer(),
          jobs_done: Type.Integer(),
          models: Type.Integer(),
        }),
      ),
    }),
    database: Type.Object({
      kind: Type.Enum(['sqlite', 'postgresql']),
      bytes: Type.Union([Type.Integer(), Type.Null()]),
    }),
    disk: Type.Union([Type.Object({ free_bytes: Type.Integer(), bytes: Type.Integer() }), Type.Null()], {
      description: 'that the data folder is on; null where the system does not report it',
    }),
    replicas: Type.Array(
      Type.Object({
        uid: Type.String({ description: 'another at each start' }),
        host: Type.String(),
        version: Type.String(),
        roles: Type.Array(Type.String()),
        started_at: Time,
        seen_at: Time,
        is_alive: Type.Boolean({
          description: 'false: it stopped reporting; its row is removed some minutes later',
        }),
        is_leader: Type.Boolean({ description: 'whether it alone deletes rows whose time is over' }),
      }),
      { description: 'services on the database, this one among them' },
    ),
    jobs: Type.Object({ waiting: Type.Integer(), running: Type.Integer() }),
  },
  { title: 'ServiceState', description: 'How the service is' },
);
const CatalogueModel = Type.Object(
  {
    ...BuiltInModel.properties,
    bytes: Type.Integer({ description: 'of its files as they are fetched' }),
    installed_version: Type.Union([Type.String(), Type.Null()]),
    is_default: Type.Boolean({ description: 'installed by npm start without asking' }),
    origin: Type.Enum(['shipped', 'own'], { description: 'own: an entry of the models folder' }),
  },
  { title: 'CatalogueModel', description: 'A model of the catalogue' },
);
const AdminModels = Type.Object({ data: Type.Array(CatalogueModel) }, { description: 'The catalogue' });
const SettingInForce = Type.Object(
  {
    name: Type.String(),
    variable: Type.String({ description: 'of the environment' }),
    value: Type.Unknown({ description: 'in force; secrets and passwords masked' }),
    default: Type.Unknown(),
    source: Type.String({ description: 'default, the name of a variable, or the path of a file' }),
    description: Type.String(),
  },
  { title: 'SettingInForce', description: 'A setting as it is in force' },
);
const AdminSettings = Type.Object(
  { data: Type.Array(SettingInForce) },
  { description: 'Settings as they are in force' },
);
const tags = ['admin'];

/** The service itself, for administrators. */
export function addAdminServiceRoutes(app: ApiScope, { installation, clock, builtinModels }: ApiDeps): void {
  app.get('/admin/service', {
    config: { right: 'administrator' },
    schema: {
      tags,
      operationId: 'readService',
      summary: 'How the service is: parts, inference processes, database, disk, jobs; for administrators',
      response: { 200: ServiceState },
    },
    async handler() {
      const { version, startedAt, readiness, inference, database, disk, replicas, jobs } =
        await installation.describe();
      return {
        version,
        started_at: toTime(startedAt),
        uptime_seconds: Math.floor((clock() - startedAt) / 1000),
        is_ready: readiness.ready,
        components: readiness.components.map(({ name, ready, reason = null, notices = [] }) => ({
          name,
          is_ready: ready,
          reason,
          notices: [...notices],
        })),
        inference: {
          queued: Object.values(inference.queued).reduce((sum, jobsQueued) => sum + jobsQueued, 0),
          crashed: inference.crashed,
          recycled: inference.recycled,
          outgrown: inference.outgrown,
          timeouts: inference.timeouts,
          int8: inference.int8,
          processes: inference.processes.map(({ pid, state, rssBytes, jobsDone, models }) => ({
            pid: pid ?? null,
            state,
            memory_bytes: rssBytes,
            jobs_done: jobsDone,
            models,
          })),
        },
        database: { kind: database.kind, bytes: database.bytes },
        disk: disk && { free_bytes: disk.freeBytes, bytes: disk.bytes },
        replicas: replicas.map((replica) => ({
          uid: replica.uid,
          host: replica.host,
          version: replica.version,
          roles: [...replica.roles],
          started_at: toTime(replica.startedAt),
          seen_at: toTime(replica.seenAt),
          is_alive: replica.isAlive,
          is_leader: replica.isLeader,
        })),
        jobs: { waiting: jobs.waiting, running: jobs.running },
      };
    },
  });

  app.get('/admin/models', {
    config: { right: 'administrator' },
    schema: {
      tags,
      operationId: 'listCatalogue',
      summary: 'The catalogue of models: size, licence, what is installed; for administrators',
      response: { 200: AdminModels },
    },
    handler: async () => ({
      data: installation.catalog.list().map((model) => ({
        ...toBuiltIn(model, builtinModels),
        bytes: model.files.reduce((sum, { bytes }) => sum + bytes, 0),
        installed_version: model.installed?.version ?? null,
        is_default: model.entry.default,
        origin: model.origin,
      })),
    }),
  });

  app.get('/admin/settings', {
    config: { right: 'administrator' },
    schema: {
      tags,
      operationId: 'listSettings',
      summary: 'Every setting: its value, where it came from, what it means; for administrators',
      response: { 200: AdminSettings },
    },
    handler: async () => ({
      data: installation.settings.map(({ name, variable, value, byDefault, source, description }) => ({
        name,
        variable,
        value,
        default: byDefault,
        source,
        description,
      })),
    }),
  });
}
