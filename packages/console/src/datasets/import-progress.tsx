import type { Job } from '@lynceus/client';
import { Alert, Card, CloseButton, Group, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { mdiAlert } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Icon } from '../kit/icon.js';
import { isUnderWay, JobProgress, useJob, useOnEnd } from '../kit/job-progress.js';
import { useClient } from '../service/client.js';
import { type ImportReport, ImportReportView } from './import-report.js';
import { useRenewDataset } from './queries.js';

/** The import in progress, or the last one until its report is closed. */
export function ImportProgress({ datasetId }: { datasetId: number }) {
  const client = useClient();
  const { data: newest } = useQuery({
    queryKey: ['jobs', 'dataset-import', datasetId],
    queryFn: async ({ signal }) => {
      const page = await client.jobs.page({
        kind: 'dataset-import',
        subject: String(datasetId),
        limit: 1,
        signal,
      });
      const [newest] = page.data;
      // Its row in the list has no findings.
      return newest ? client.jobs.read(newest.id, { signal }) : null;
    },
  });
  return newest ? <Import key={newest.id} datasetId={datasetId} known={newest} /> : null;
}

function Import({ datasetId, known }: { datasetId: number; known: Job }) {
  const { t } = useTranslation();
  const { data: job = known } = useJob(known.id, known);
  // A closed report stays closed when the page is opened again.
  const [closedId, setClosedId] = useLocalStorage<string>({
    key: `lynceus-import-${datasetId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  // Images arrive while the job runs; all of them are there once it has ended.
  useOnEnd(job, useRenewDataset(datasetId));
  if (isUnderWay(job)) {
    return (
      <Card withBorder mb="md">
        <JobProgress job={job} stage={() => t('datasets.importing')} />
      </Card>
    );
  }
  if (closedId === job.id) return null;
  const close = <CloseButton aria-label={t('datasets.closeReport')} onClick={() => setClosedId(job.id)} />;
  if (job.state !== 'done') {
    return (
      <Alert
        color="red"
        icon={<Icon path={mdiAlert} />}
        mb="md"
        title={t(`datasets.import_${job.state === 'failed' ? 'failed' : 'cancelled'}`)}
      >
        <Group justify="space-between" wrap="nowrap" align="start">
          <Text size="sm">{job.error}</Text>
          {close}
        </Group>
      </Alert>
    );
  }
  return (
    <Card withBorder mb="md">
      <ImportReportView
        report={job.result as ImportReport}
        datasetId={datasetId}
        endedAt={job.ended_at}
        close={close}
      />
    </Card>
  );
}
