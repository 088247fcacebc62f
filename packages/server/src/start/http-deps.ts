import type { ExplainedSetting } from '../core/explain-settings.js';
import type { Readiness } from '../core/lifecycle.js';
import { createImageFetcher } from '../intake/fetch-image.js';
import { openLiveChanges } from '../live/open-live-changes.js';
import type { Core } from '../service/core.js';
import { createDescribeInstallation } from '../service/installation/describe-installation.js';
import type { Replicas } from '../service/replicas/replicas.js';
import type { Domains } from '../services.js';
import type { Sweeps } from '../storage/sweeps/sweep.js';
import { createModelFacts } from '../training/models/model-facts.js';
import type { HttpAppDeps } from './http/app.js';
import type { InstalledModels } from './models.js';

interface ServiceFacts {
  readonly version: string;
  /** As they are in force, secrets masked. */
  readonly settings: readonly ExplainedSetting[];
  readonly catalog: Pick<InstalledModels, 'list'>;
  readonly sweeps: Sweeps;
  readonly replicas: Pick<Replicas, 'list' | 'httpReplicas'>;
  readonly readiness: () => Readiness;
}

/** What the HTTP side is given of the service. */
export function httpDepsOf(core: Core, domains: Domains, facts: ServiceFacts) {
  const { database, clock, settings, logger, spool } = core;
  const { version, catalog, sweeps, replicas, readiness } = facts;
  return {
    ...core,
    ...domains,
    viewTokens: domains.streamStore.viewTokens,
    frameQuota: domains.streamStore.frameQuota,
    ledger: domains.accounts,
    authenticate: domains.accounts.authenticate,
    installation: {
      settings: facts.settings,
      catalog,
      sweeps,
      describe: createDescribeInstallation({
        ...core,
        version,
        readiness,
        listReplicas: replicas.list,
        stats: () => core.runner.stats(),
        isSqlite: settings.databaseUrl === '',
      }),
    },
    live: openLiveChanges({
      database,
      clock,
      onFailure: (error) => logger.warn({ err: error }, 'what changed in an account could not be read'),
    }),
    httpReplicas: replicas.httpReplicas,
    modelFacts: createModelFacts(core.installedModel),
    fetchImage: createImageFetcher({ spool, ...settings }),
    health: { readiness },
  } satisfies Partial<HttpAppDeps>;
}
