import type { CustomModel } from '@lynceus/client';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { More, usePages } from '../../kit/more.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useVersions } from '../queries.js';
import { ComparisonCard } from './comparison-card.js';

/** Two versions on the same images: which is better, and whether the difference is significant. */
export function ComparePanel({ model }: { model: CustomModel }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const list = usePages(['jobs', 'compare-versions', model.model_id], (cursor, signal) =>
    client.jobs.page({ kind: 'compare-versions', subject: String(model.model_id), cursor, signal }),
  );
  return (
    <Stack>
      <Text c="dimmed" maw={640}>
        {t('models.comparisons.text')}
      </Text>
      {mayChange && <NewComparison model={model} />}
      <Answered query={list}>
        {(jobs) => (
          <Stack gap="sm">
            {jobs.length === 0 && <Text c="dimmed">{t('models.comparisons.none')}</Text>}
            {jobs.map((job) => (
              <ComparisonCard key={job.id} known={job} />
            ))}
            <More list={list} />
          </Stack>
        )}
      </Answered>
    </Stack>
  );
}

function NewComparison({ model }: { model: CustomModel }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<readonly [string | null, string | null]>([null, null]);
  const versions = useVersions(model.model_id);
  const data = (versions.data ?? []).map(({ number }) => ({
    value: String(number),
    label: t('models.version', { number }),
  }));
  const newest = [data[1]?.value ?? null, data[0]?.value ?? null] as const;
  const [first, second] = [wanted[0] ?? newest[0], wanted[1] ?? newest[1]];
  const start = useAction({
    mutationFn: () => client.modelRuns.compare(model.model_id, { versions: [Number(first), Number(second)] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['jobs'] }),
  });
  if (data.length < 2) {
    return <Text size="sm">{t('models.comparisons.needsTwo')}</Text>;
  }
  return (
    <Group align="end" gap="xs">
      <Select
        label={t('models.comparisons.first')}
        w={150}
        allowDeselect={false}
        data={data}
        value={first}
        onChange={(value) => setWanted([value, second])}
      />
      <Select
        label={t('models.comparisons.second')}
        w={150}
        allowDeselect={false}
        data={data}
        value={second}
        onChange={(value) => setWanted([first, value])}
      />
      <Button
        disabled={!first || !second || first === second || model.dataset_id === null}
        loading={start.isPending}
        onClick={() => start.mutate()}
      >
        {t('models.comparisons.submit')}
      </Button>
      {model.dataset_id === null && (
        <Text size="sm" c="dimmed">
          {t('models.comparisons.noDataset')}
        </Text>
      )}
    </Group>
  );
}
