import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type ImportOptions,
  importUpload,
  reimportUpload,
  type UploadFile,
  type UploadLimits,
  UploadRefused,
} from '@lynceus/engine';
import { createFairSemaphore } from '../../core/fair-semaphore.js';
import { ServiceError } from '../../core/service-error.js';
import type { RowLease } from '../../storage/leases/row-leases.js';
import type { ModelVersion, Versions } from './model.js';
import type { ModelQuota } from './model-quota.js';
import type { Models } from './models.js';

interface Asked {
  readonly modelId: number;
  readonly options: ImportOptions;
  /** Whether it predicts from now on. */
  readonly isActivated: boolean;
  readonly signal: AbortSignal;
  /** Where such work is one at a time in all services: without it nothing is kept. */
  readonly lease?: Pick<RowLease, 'fence' | 'isHeld'>;
  /** Asked when the version was tried, which takes its time; it is not kept where this throws. */
  readonly beforeCommit?: () => Promise<void>;
}

/**
 * Versions of ready models. Throws `model_refused` in the engine's words, and `account_full` or `no_space` where it would have
 * no room; nothing of it is left then.
 */
export interface UploadVersion {
  /** Of files that stay the caller's. */
  add(accountId: number, asked: Asked & { readonly files: readonly UploadFile[] }): Promise<ModelVersion>;
  /** Made again of the files of an uploaded version, with the new options merged over the earlier ones. */
  change(accountId: number, asked: Asked & { readonly number: number }): Promise<ModelVersion>;
}

interface UploadVersionDeps {
  readonly models: Pick<Models, 'read'>;
  readonly versions: Pick<Versions, 'add' | 'draft' | 'hold' | 'read'>;
  readonly quota: ModelQuota;
  readonly limits: UploadLimits;
}

/** Each holds its files and a request. */
const maxWaitingTrials = 100;

export function createUploadVersion({ models, versions, quota, limits }: UploadVersionDeps): UploadVersion {
  // Trying a model may take gigabytes.
  const withPermit = createFairSemaphore({
    permits: 1,
    maxWaiting: maxWaitingTrials,
    refusal: 'too many uploaded models are waiting; try again shortly',
  });

  const keep = async (
    accountId: number,
    { modelId, isActivated, signal, lease, beforeCommit }: Asked,
    make: (draft: string) => Promise<unknown>,
  ): Promise<ModelVersion> => {
    await quota.requireVersion(accountId);
    const draft = await versions.draft(accountId);
    await withPermit({ accountId, signal }, () => make(draft)).catch((error: unknown) => {
      if (!(error instanceof UploadRefused)) throw error;
      throw new ServiceError('model_refused', error.message, { cause: error });
    });
    try {
      await beforeCommit?.();
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
    const version = {
      origin: 'upload',
      draft,
      isActivated,
      report: null,
      jobId: null,
      datasetId: null,
      fence: lease?.fence ?? [],
    } as const;
    return versions.add(accountId, modelId, version).catch(async (error: unknown) => {
      if (lease === undefined || (await lease.isHeld())) throw error;
      throw lostUpload(error);
    });
  };

  return {
    async add(accountId, asked) {
      const { files, options, signal } = asked;
      const { uid: id, name: title } = await models.read(accountId, asked.modelId);
      return keep(accountId, asked, (draft) =>
        importUpload({ id, title, version: basename(draft), files, options, limits, signal, outDir: draft }),
      );
    },

    async change(accountId, asked) {
      const { options: changes, signal } = asked;
      const { name: title } = await models.read(accountId, asked.modelId);
      const version = await versions.read(accountId, asked.modelId, asked.number);
      if (version.origin !== 'upload') {
        throw new ServiceError(
          'wrong_parameters',
          `version ${asked.number} was trained here: it is changed by training again; uploaded ones take other options`,
        );
      }
      const { path: dir, release } = await versions.hold(version);
      try {
        return await keep(accountId, asked, (draft) =>
          reimportUpload({ dir, title, version: basename(draft), outDir: draft, changes, limits, signal }),
        );
      } finally {
        release();
      }
    },
  };
}

function lostUpload(cause: unknown): ServiceError {
  return new ServiceError(
    'conflict',
    'the service could not renew its lease of the upload, and another may have begun: upload the model again',
    { cause },
  );
}
