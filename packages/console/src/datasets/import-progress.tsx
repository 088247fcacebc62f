import type { DatasetFindings, Job } from '@lynceus/client';
import { Alert, Card, CloseButton, Group, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { mdiAlert, mdiCheckCircle } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../kit/icon.js';
import { isUnderWay, JobProgress, useJob } from '../kit/job-progress.js';
import { Moment } from '../kit/moment.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';
import { FindingList } from './finding-list.js';
import { useRenewDataset } from './queries.js';

/** The result of an import, as in docs/datasets.md. */
interface ImportReport extends DatasetFindings {
  readonly format: string;
  readonly added: number;
  readonly duplicates: number;
  readonly refused: number;
}

/** The import that is under way, or the last one until its report is put away. */
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
      return page.data[0] ?? null;
    },
  });
  return newest ? <Import key={newest.id} datasetId={datasetId} known={newest} /> : null;
}

function Import({ datasetId, known }: { datasetId: number; known: Job }) {
  const { t } = useTranslation();
  const { data: job = known } = useJob(known.id, known);
  // What was put away stays so when the page is opened again.
  const [putAway, setPutAway] = useLocalStorage<string>({
    key: `lynceus-import-${datasetId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  useRenewWhenDone(datasetId, job);
  if (isUnderWay(job)) {
    return (
      <Card withBorder mb="md">
        <JobProgress job={job} stage={() => t('datasets.importing')} />
      </Card>
    );
  }
  if (putAway === job.id) return null;
  const close = <CloseButton aria-label={t('datasets.putAway')} onClick={() => setPutAway(job.id)} />;
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
      <Report report={job.result as ImportReport} endedAt={job.ended_at} close={close} />
    </Card>
  );
}

function Report({
  report,
  endedAt,
  close,
}: {
  report: ImportReport;
  endedAt: string | null;
  close: React.ReactNode;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Group gap="xs" wrap="nowrap">
          <Icon path={mdiCheckCircle} />
          <Text size="sm">
            {t('datasets.imported', {
              added: format.number(report.added),
              duplicates: format.number(report.duplicates),
              refused: format.number(report.refused),
              format: report.format,
            })}{' '}
            {endedAt && (
              <Text span c="dimmed">
                <Moment at={endedAt} />
              </Text>
            )}
          </Text>
        </Group>
        {close}
      </Group>
      {report.findings.length > 0 && <FindingList findings={report} isCollapsed />}
    </Stack>
  );
}

/** Images come in while a job runs; all of them are there once it has ended. */
function useRenewWhenDone(datasetId: number, job: Job): void {
  const renew = useRenewDataset(datasetId);
  const renewNow = useRef(renew);
  renewNow.current = renew;
  const wasUnderWay = useRef(false);
  const isGoing = isUnderWay(job);
  useEffect(() => {
    if (wasUnderWay.current && !isGoing) renewNow.current();
    wasUnderWay.current = isGoing;
  }, [isGoing]);
}
