import type { Job } from '@lynceus/client';
import { Anchor, Badge, Card, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DataList } from '../../kit/data-list.js';
import { Moment } from '../../kit/moment.js';
import { usePages } from '../../kit/more.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { RunFigures, type RunResult } from './run-figures.js';

export const stateColours: Readonly<Record<Job['state'], string>> = {
  waiting: 'gray',
  running: 'blue',
  done: 'lynx',
  failed: 'red',
  cancelled: 'gray',
};

/** Training runs of a model, the newest first. */
export function RunList({ modelId }: { modelId: number }) {
  const { t } = useTranslation();
  const client = useClient();
  const list = usePages(['jobs', 'train-model', modelId], (cursor, signal) =>
    client.modelRuns.page(modelId, { cursor, signal }),
  );
  return (
    <DataList list={list} empty={<Text c="dimmed">{t('models.training.none')}</Text>}>
      {(runs) => (
        <Stack gap="sm">
          {runs.map((run) => (
            <RunCard key={run.id} modelId={modelId} run={run} />
          ))}
        </Stack>
      )}
    </DataList>
  );
}

function RunCard({ modelId, run }: { modelId: number; run: Job }) {
  const { t } = useTranslation();
  const format = useFormat();
  const took =
    run.started_at && run.ended_at ? (Date.parse(run.ended_at) - Date.parse(run.started_at)) / 1000 : null;
  const result = run.state === 'done' ? (run.result as RunResult) : null;
  return (
    <Card withBorder padding="sm">
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Group gap="xs">
            <Badge variant="light" color={stateColours[run.state]}>
              {t(`jobs.state.${run.state}`)}
            </Badge>
            <Text size="sm">
              <Moment at={run.created_at} />
            </Text>
            {took !== null && (
              <Text size="sm" c="dimmed">
                {t('models.training.took', { time: format.duration(took) })}
              </Text>
            )}
          </Group>
          {result && (
            <Anchor component={Link} to={`/models/${modelId}/versions/${result.version}`} size="sm">
              {t('models.version', { number: result.version })}
            </Anchor>
          )}
        </Group>
        {result && <RunFigures result={result} />}
        {run.error && (
          <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
            {run.error}
          </Text>
        )}
      </Stack>
    </Card>
  );
}
