import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import type { JobKind } from '../jobs/job.js';
import { createJobsComponent, type JobsComponent } from '../jobs/jobs-component.js';
import { createLeases } from '../jobs/leases.js';
import type { Database } from '../storage/database.js';

/** After that long without a sign of life, another service takes a job over. */
const leaseMs = 30_000;

export interface ServiceJobsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly kinds: readonly JobKind[];
  readonly isAlone: boolean;
  /** Of a kind, that one account may have under way; 0: half of the places of the kind. */
  readonly accountMaxConcurrent: number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The jobs of one service, under a name that no other one has. */
export function createServiceJobs(deps: ServiceJobsDeps): JobsComponent {
  const { database, clock, kinds, isAlone, accountMaxConcurrent, logger } = deps;
  return createJobsComponent({
    leases: createLeases({ database, clock, owner: randomUUID(), leaseMs }),
    kinds,
    isAlone,
    clock,
    maxPerAccount: accountMaxConcurrent || undefined,
    onFailure: (job, error) =>
      logger.warn(
        { err: error, job: job?.id, kind: job?.kind, accountId: job?.accountId, subject: job?.subject },
        job === null ? 'jobs could not be looked for' : 'a job failed; it is tried again if that may help',
      ),
  });
}
