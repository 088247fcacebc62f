import { randomUUID } from 'node:crypto';
import { createJobsComponent, type JobsComponent } from '../jobs/jobs-component.js';
import { createLeases } from '../jobs/leases.js';
import type { Core } from '../module/core.js';
import type { Module } from '../module/module.js';

/** After that long without a sign of life, another service takes a job over. */
const leaseMs = 30_000;

/** The jobs of one service, under a name that no other one has. */
export function createServiceJobs(
  core: Pick<Core, 'database' | 'clock' | 'jobs'> & {
    readonly logger: Pick<Core['logger'], 'warn'>;
    readonly settings: Pick<Core['settings'], 'databaseUrl' | 'accountMaxConcurrent'>;
  },
  modules: readonly Pick<Module, 'kinds'>[],
  timing: { readonly intervalMs?: number } = {},
): JobsComponent {
  const { database, clock, logger, settings, jobs } = core;
  const component = createJobsComponent({
    ...timing,
    leases: createLeases({ database, clock, owner: randomUUID(), leaseMs }),
    kinds: modules.flatMap(({ kinds = [] }) => kinds),
    isAlone: settings.databaseUrl === '',
    clock,
    maxPerAccount: settings.accountMaxConcurrent || undefined,
    onFailure: (job, error) =>
      logger.warn(
        { err: error, job: job?.id, kind: job?.kind, accountId: job?.accountId, subject: job?.subject },
        job === null ? 'jobs could not be looked for' : 'a job failed; it is tried again if that may help',
      ),
  });
  jobs.onWake(component.wake);
  return component;
}
