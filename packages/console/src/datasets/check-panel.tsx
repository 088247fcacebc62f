import type { CountedDataset } from '@lynceus/client';
import { Button, Group, Stack, Text } from '@mantine/core';
import { mdiCheckDecagram, mdiRefresh } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../kit/answered.js';
import { Empty } from '../kit/empty.js';
import { Icon } from '../kit/icon.js';
import { useClient } from '../service/client.js';
import { FindingList } from './finding-list.js';

/** Problems of the dataset for training. */
export function CheckPanel({ dataset }: { dataset: CountedDataset }) {
  const { t } = useTranslation();
  const client = useClient();
  const check = useQuery({
    queryKey: ['dataset-check', dataset.id],
    queryFn: ({ signal }) => client.datasets.check(dataset.id, { signal }),
    staleTime: 0,
  });
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed" maw={640}>
          {t('datasets.checkText')}
        </Text>
        <Button
          variant="default"
          leftSection={<Icon path={mdiRefresh} size={16} />}
          loading={check.isFetching}
          onClick={() => check.refetch()}
        >
          {t('datasets.checkAgain')}
        </Button>
      </Group>
      <Answered query={check}>
        {(findings) =>
          findings.findings.length === 0 ? (
            <Empty
              icon={mdiCheckDecagram}
              title={t('datasets.checkGood')}
              text={t('datasets.checkGoodText')}
            />
          ) : (
            <FindingList findings={findings} labelling={`/datasets/${dataset.id}/label`} />
          )
        }
      </Answered>
    </Stack>
  );
}
