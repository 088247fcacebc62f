import { ServiceError } from '../../../core/service-error.js';
import type { Datasets } from '../../datasets/datasets.js';
import type { Versions } from '../model.js';
import type { Models } from '../models.js';
import { maxShownMistakes, writeReportPage } from './page/write-report-page.js';
import type { ReadReportImages } from './read-report-images.js';
import { asTrainingReport, imagesShown, type TrainingReport } from './training-report.js';

/** Reports of trainings on versions. `not_found` where there is no such version, or nothing was measured. */
export interface Reports {
  read(accountId: number, modelId: number, number: number): Promise<TrainingReport>;
  /** As HTML that needs nothing beside itself. */
  page(accountId: number, modelId: number, number: number, signal: AbortSignal): Promise<string>;
}

interface ReportsDeps {
  readonly models: Pick<Models, 'read'>;
  readonly versions: Pick<Versions, 'read' | 'report'>;
  readonly datasets: Pick<Datasets, 'read'>;
  readonly readImages: ReadReportImages;
}

export function createReports({ models, versions, datasets, readImages }: ReportsDeps): Reports {
  const read: Reports['read'] = async (accountId, modelId, number) => {
    const report = asTrainingReport(await versions.report(accountId, modelId, number));
    if (report !== null) return report;
    throw new ServiceError('not_found', `version ${number} has no report: it was not trained here`);
  };
  /** Null where it was deleted. */
  const nameOfDataset = async (accountId: number, id: number): Promise<string | null> => {
    try {
      return (await datasets.read(accountId, id)).name;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return null;
      throw error;
    }
  };
  return {
    read,
    async page(accountId, modelId, number, signal) {
      const model = await models.read(accountId, modelId);
      const version = await versions.read(accountId, modelId, number);
      const report = await read(accountId, modelId, number);
      const dataset = await nameOfDataset(accountId, report.datasetId);
      const shown = imagesShown(report, maxShownMistakes);
      const images = await readImages(accountId, report.datasetId, dataset === null ? [] : shown, signal);
      const facts = { model: model.name, version: number, dataset, createdAt: version.createdAt };
      return writeReportPage(report, facts, images);
    },
  };
}
