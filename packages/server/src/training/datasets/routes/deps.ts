import type { ApiDeps } from '../../../http/api/scope.js';
import type { BlobStore } from '../../../storage/blobs/blob-store.js';
import type { DatasetStore } from '../dataset-store.js';
import type { ReadImportFindings } from '../import/import-findings.js';
import type { StartImport } from '../import/start-import.js';
import type { SuggestLabels } from '../suggest-labels.js';

export interface DatasetDeps extends ApiDeps {
  readonly datasets: DatasetStore;
  readonly suggestLabels: SuggestLabels;
  readonly importDatasets: StartImport;
  readonly readImportFindings: ReadImportFindings;
  /** Zips that are being imported. */
  readonly imports: Pick<BlobStore, 'write' | 'remove'>;
}
