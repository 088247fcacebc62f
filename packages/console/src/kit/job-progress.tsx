import type { Job } from '@lynceus/client';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { useShowError } from './error-text.js';
import { useFormat } from './use-format.js';

/** How far a job is that is under way, and a way to end it. */
export function JobProgress({ job, stage }: { job: Job; stage: (name: string) => string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const queries = useQueryClient();
  const showError = useShowError();
  const mayChange = useMayChange();
  const cancel = useMutation({
    mutationFn: () => client.jobs.cancel(job.id),
    onSuccess: (ended) => {
      queries.setQueryData(['jobs', job.id], ended);
      return queries.invalidateQueries({ queryKey: ['jobs'] });
    },
    onError: showError,
  });
  const { done, total, percent, seconds_left } = job.progress;
  const words = job.state === 'waiting' ? t('jobs.waiting') : stage(job.progress.stage ?? '');
  const count =
    total === null ? null : t('jobs.doneOf', { done: format.number(done), total: format.number(total) });
  const left = seconds_left === null ? null : t('jobs.left', { time: format.duration(seconds_left) });
  const isKnown = job.state === 'running' && percent !== null;
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {words}
        </Text>
        <Text size="sm" c="dimmed">
          {[count, left].filter(Boolean).join(' · ')}
        </Text>
      </Group>
      <Group gap="sm" wrap="nowrap">
        <Progress.Root flex={1} size="lg">
          <Progress.Section
            value={isKnown ? percent : 100}
            striped={!isKnown}
            animated={!isKnown}
            aria-label={words}
          />
        </Progress.Root>
        {mayChange && isUnderWay(job) && (
          <Button
            size="compact-sm"
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            {t('jobs.cancel')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Polling, in case no event arrives, such as behind a proxy that buffers them. */
const askAgainMs = 1500;

export function isUnderWay(job: Pick<Job, 'state'>): boolean {
  return job.state === 'waiting' || job.state === 'running';
}

/** A job as it is, until it has ended. */
export function useJob(id: string | null, known?: Job) {
  const client = useClient();
  return useQuery({
    queryKey: ['jobs', id],
    queryFn: ({ signal }) => client.jobs.read(id ?? '', { signal }),
    enabled: id !== null,
    initialData: known,
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : askAgainMs),
  });
}
