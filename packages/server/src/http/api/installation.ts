import type { Catalog } from '@lynceus/engine';
import type { ExplainedSetting } from '../../core/explain-settings.js';
import type { InstallationState } from '../../service/installation/describe-installation.js';
import type { Sweeps } from '../../storage/sweeps/sweep.js';

/** What administrators read about the service itself. */
export interface Installation {
  readonly describe: () => Promise<InstallationState>;
  /** As they are in force, secrets masked. */
  readonly settings: readonly ExplainedSetting[];
  readonly catalog: Pick<Catalog, 'list'>;
  readonly sweeps: Pick<Sweeps, 'state' | 'confirm'>;
}
