import type { Core } from '../service/core.js';
import {
  createJobsComponent,
  type JobsComponent,
  type JobsComponentDeps,
} from '../service/jobs/jobs-component.js';
import { createLeases } from '../service/jobs/leases.js';
import type { Module } from '../service/module.js';

/** The jobs of one service, under a name that no other one has. */
export function createServiceJobs(
  core: Pick<Core, 'database' | 'clock' | 'jobs' | 'leases' | 'filesFolderUid'> & {
    readonly logger: Pick<Core['logger'], 'warn'>;
    readonly settings: Pick<Core['settings'], 'accountMaxConcurrent'>;
  },
  modules: readonly Pick<Module, 'kinds'>[],
  { hasOther, ...timing }: Pick<JobsComponentDeps, 'hasOther' | 'intervalMs' | 'fullDiskRestMs'> = {},
): JobsComponent {
  const { database, clock, logger, settings, jobs, leases } = core;
  const { owner, leaseMs, isAlone } = leases;
  const component = createJobsComponent({
    ...timing,
    leases: createLeases({
      database,
      clock,
      owner,
      leaseMs,
      folderUid: isAlone ? null : core.filesFolderUid,
    }),
    kinds: modules.flatMap(({ kinds = [] }) => kinds),
    isAlone,
    hasOther,
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
