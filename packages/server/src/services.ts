import { createAccounts } from './accounts/accounts.js';
import { createAudit } from './accounts/audit/audit.js';
import { openUsersModule } from './accounts/users/users-module.js';
import { createCompatKeys } from './compat/compat-keys.js';
import { createCompatListenerStore } from './compat/compat-listeners.js';
import { openDropsModule } from './drops/drops-module.js';
import { openFacesModule } from './faces/faces-module.js';
import { createSearchRecorder } from './faces/record-search.js';
import { openAnalysesModule } from './recognition/analyses-module.js';
import { createRecognition } from './recognition/recognition.js';
import type { Core } from './service/core.js';
import type { Module } from './service/module.js';
import { openOutputsModule } from './streams/outputs/outputs-module.js';
import { openStreamsModule } from './streams/streams-module.js';
import { openVideosModule } from './streams/videos/videos-module.js';
import { openDatasetsModule } from './training/datasets/datasets-module.js';
import { openModelsModule } from './training/models/models-module.js';

/** Each domain, opened when it is first asked for: a command opens what it needs, the service all of it. */
export type Services = ReturnType<typeof createServices>;

/** All that the service does for its adapters, of every domain. */
export type Domains = Awaited<ReturnType<Services['all']>>['domains'];

/** What depends on what: the one composition, of the service, of commands and of tests. */
export function createServices(core: Core) {
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
    /** Stops what was opened. For commands and tests, which have no lifecycle. */
    async close(): Promise<void> {
      for (const { component } of opened.splice(0).reverse()) {
        await component
          ?.stop()
          .catch((error: unknown) =>
            core.logger.error({ err: error, component: component.name }, 'a component did not stop cleanly'),
          );
      }
    },
    /** Opens all; `modules` in the order of starting. */
    async all() {
      // One after the other: where one fails, none is still being opened.
      const modules = [
        await users(),
        await analyses(),
        await faces(),
        await datasets(),
        await models(),
        await drops(),
        await streams(),
        await streamOutputs(),
        await videos(),
      ] as const;
      const { keepImage } = modules[1];
      return {
        modules,
        domains: {
          ...joined(modules),
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

type Joined<Parts extends readonly object[]> = Parts extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & Joined<Rest>
  : unknown;

function joined<Parts extends readonly object[]>(parts: Parts): Joined<Parts> {
  return Object.assign({}, ...parts) as Joined<Parts>;
}
