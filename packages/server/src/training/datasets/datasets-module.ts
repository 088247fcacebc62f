import type { Core } from '../../service/core.js';
import { finishDeletions, type Module, plainSweep, sweepCutDeletions } from '../../service/module.js';
import { deletableBlobs, filesNamedBy, storeFiles } from '../../storage/account-files.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import { guardBlobs } from '../../storage/blobs/guarded-blobs.js';
import { fileColumns } from '../../storage/file-columns.js';
import { isNamedIn, sweptFiles } from '../../storage/quarantine/swept-files.js';
import { createDatasetStore, type DatasetStore } from './dataset-store.js';
import { createReadImportFindings, type ReadImportFindings } from './import/import-findings.js';
import { createImportJob, namedImports, sweepEndedImports, sweptImports } from './import/import-job.js';
import { createStartImport, type StartImport } from './import/start-import.js';

export interface DatasetsModule extends Module {
  readonly datasets: DatasetStore;
  /** Zips that are imported into datasets. */
  readonly imports: BlobStore;
  readonly importDatasets: StartImport;
  readonly readImportFindings: ReadImportFindings;
}

/** Labelled images, and the import of zips of them. */
export async function openDatasetsModule(core: Core): Promise<DatasetsModule> {
  const { settings, database, jobs, spool, clock, logger } = core;
  const { maxImageBytes } = settings;
  const blobs = await core.openImages('datasets', 'dataset');
  const imports = guardBlobs(await core.openBlobs('imports'), core.disk);
  const datasets = createDatasetStore(core, blobs);
  const swept = sweptFiles('datasets', database, blobs);
  const named = filesNamedBy(database, fileColumns.datasets);
  return {
    datasets,
    imports,
    importDatasets: createStartImport({ database, jobs }),
    readImportFindings: createReadImportFindings({ jobs, imports }),
    kinds: [createImportJob({ store: datasets, imports, spool, database, clock, logger, maxImageBytes })],
    sweeps: [
      plainSweep('ended-imports', () => sweepEndedImports(database, imports, clock())),
      sweepCutDeletions('cut-deletions-of-datasets', datasets.deletion),
    ],
    sweptStores: [swept, sweptImports(database, imports)],
    accountFiles: [
      storeFiles('datasets', deletableBlobs(blobs), named),
      storeFiles('imports', deletableBlobs(imports), namedImports(database)),
    ],
    images: { dataset: isNamedIn(swept) },
    component: finishDeletions('datasets', datasets.deletion),
  };
}
