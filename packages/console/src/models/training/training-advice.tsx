import { Alert, List, Text } from '@mantine/core';
import { mdiLightbulbOnOutline } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';

const shown = 5;

/** What would make a training on the dataset worse; nothing while that is not known. */
export function TrainingAdvice({ datasetId }: { datasetId: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['dataset-check', datasetId],
    queryFn: ({ signal }) => client.datasets.check(datasetId, { signal }),
  });
  const findings = data?.findings.filter(({ problem }) => problem !== 'no-labels') ?? [];
  if (!data || findings.length === 0) return null;
  return (
    <Alert icon={<Icon path={mdiLightbulbOnOutline} />} title={t('models.training.advice')}>
      <List size="sm" spacing={2} style={{ overflowWrap: 'anywhere' }}>
        {findings.slice(0, shown).map((finding) => (
          <List.Item key={data.findings.indexOf(finding)}>
            {finding.file && `${finding.file}: `}
            {finding.message}
          </List.Item>
        ))}
      </List>
      {findings.length > shown && (
        <Text size="sm" c="dimmed">
          {t('datasets.moreFindings', {
            count: findings.length - shown,
            number: format.number(findings.length),
          })}
        </Text>
      )}
    </Alert>
  );
}
