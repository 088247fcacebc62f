import { type Accounts, createAccounts } from './accounts/accounts.js';
import { createAudit } from './audit/audit.js';
import { type CompatKeys, createCompatKeys } from './compat/compat-keys.js';
import { type CompatListenerStore, createCompatListenerStore } from './compat/compat-listeners.js';
import { type DatasetsModule, openDatasetsModule } from './datasets/datasets-module.js';
import { type DropsModule, openDropsModule } from './drops/drops-module.js';
import { type FacesModule, openFacesModule } from './faces/faces-module.js';
import { createSearchRecorder, type RecordSearch } from './faces/record-search.js';
import { type ModelsModule, openModelsModule } from './models/models-module.js';
import type { Core } from './module/core.js';
import type { Module } from './module/module.js';
import { type AnalysesModule, openAnalysesModule } from './recognition/analyses-module.js';
import { createRecognition, type Recognition } from './recognition/recognition.js';
import { type OutputsModule, openOutputsModule } from './streams/outputs/outputs-module.js';
import { openStreamsModule, type StreamsModule } from './streams/streams-module.js';
import { openUsersModule, type UsersModule } from './users/users-module.js';
import { openVideosModule, type VideosModule } from './videos/videos-module.js';

/** All that the service does for its adapters, of every domain. */
export interface Domains
  extends Omit<
    UsersModule &
      AnalysesModule &
      FacesModule &
      DatasetsModule &
      ModelsModule &
      DropsModule &
      StreamsModule &
      OutputsModule &
      VideosModule,
    keyof Module
  > {
  readonly accounts: Accounts;
  readonly recognition: Recognition;
  readonly recordSearch: RecordSearch;
  readonly compatKeys: CompatKeys;
  readonly compatListenerStore: CompatListenerStore;
}

/** Each domain, opened when it is first asked for: a command opens what it needs, the service all of it. */
export interface Services {
  readonly accounts: Accounts;
  users(): Promise<UsersModule>;
  analyses(): Promise<AnalysesModule>;
  faces(): Promise<FacesModule>;
  datasets(): Promise<DatasetsModule>;
  models(): Promise<ModelsModule>;
  recognition(): Promise<Recognition>;
  drops(): Promise<DropsModule>;
  streams(): Promise<StreamsModule>;
  streamOutputs(): Promise<OutputsModule>;
  videos(): Promise<VideosModule>;
  compatKeys(): Promise<CompatKeys>;
  compatListeners(): Promise<CompatListenerStore>;
  /** Stops what was opened; for whoever has no lifecycle that does. */
  close(): Promise<void>;
  /** Opens all; `modules` in the order of starting. */
  all(): Promise<{ readonly domains: Domains; readonly modules: readonly Module[] }>;
}

/** What depends on what: the one composition, of the service, of commands and of tests. */
export function createServices(core: Core): Services {
  const { database, clock, settings } = core;
  const accounts = createAccounts({ ...settings, database, clock });
  /** What a module needs before it. */
  const opened: Module[] = [];
  const module = <M extends Module>(open: () => Promise<M>): (() => Promise<M>) =>
    once(async () => {
      const made = await open();
      opened.push(made);
      return made;
    });
  const users = module(() => openUsersModule(core, accounts));
  const analyses = module(() => openAnalysesModule(core));
  const faces = module(() => openFacesModule(core));
  const datasets = module(() => openDatasetsModule(core));
  const models = module(async () => openModelsModule(core, { ...(await datasets()), ...(await faces()) }));
  const recognition = once(async () => {
    const { keepImage } = await analyses();
    const { faceNaming } = await faces();
    return createRecognition({ ...core, ...settings, ledger: accounts, keepImage, faceNaming });
  });
  const compatKeys = once(async () => {
    const { chooseModel } = await models();
    return createCompatKeys({ database, clock, ownKeys: accounts.ownKeys, chooseModel, ...(await faces()) });
  });
  const compatListeners = once(async () =>
    createCompatListenerStore({
      ...{ database, clock, settings },
      audit: createAudit({ database, clock }),
      compatKeys: await compatKeys(),
    }),
  );
  const drops = module(async () => {
    const { chooseModel } = await models();
    return openDropsModule(core, { accounts, chooseModel, recognition: await recognition() });
  });
  const streams = module(async () => {
    const { chooseModel } = await models();
    return openStreamsModule(core, { chooseModel, ...(await faces()) });
  });
  const videos = module(async () => {
    const { chooseModel } = await models();
    return openVideosModule(core, { ...(await streams()), ...(await faces()), chooseModel });
  });
  const streamOutputs = module(async () => openOutputsModule(core, await streams()));
  return {
    accounts,
    users,
    analyses,
    faces,
    datasets,
    models,
    recognition,
    drops,
    streams,
    streamOutputs,
    videos,
    compatKeys,
    compatListeners,
    async close() {
      for (const { component } of opened.splice(0).reverse()) {
        await component
          ?.stop()
          .catch((error: unknown) =>
            core.logger.error({ err: error, component: component.name }, 'a component did not stop cleanly'),
          );
      }
    },
    async all() {
      // One after the other: where one fails, none is still being opened.
      const ofUsers = await users();
      const ofAnalyses = await analyses();
      const ofFaces = await faces();
      const ofDatasets = await datasets();
      const ofModels = await models();
      const ofDrops = await drops();
      const ofStreams = await streams();
      const ofOutputs = await streamOutputs();
      const ofVideos = await videos();
      const { keepImage } = ofAnalyses;
      return {
        modules: [
          ofUsers,
          ofAnalyses,
          ofFaces,
          ofDatasets,
          ofModels,
          ofDrops,
          ofStreams,
          ofOutputs,
          ofVideos,
        ],
        domains: {
          ...ofUsers,
          ...ofAnalyses,
          ...ofFaces,
          ...ofDatasets,
          ...ofModels,
          ...ofDrops,
          ...ofStreams,
          ...ofOutputs,
          ...ofVideos,
          accounts,
          recognition: await recognition(),
          compatKeys: await compatKeys(),
          compatListenerStore: await compatListeners(),
          recordSearch: createSearchRecorder({ database, clock, ledger: accounts, keepImage }),
        },
      };
    },
  };
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}
