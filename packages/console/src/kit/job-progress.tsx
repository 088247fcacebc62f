import type { Job } from '@lynceus/client';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { useAction } from './use-action.js';
import { useFormat } from './use-format.js';

/** The progress of a job, with a button that cancels it. */
export function JobProgress({
  job,
  stage,
  amount,
}: {
  job: Job;
  stage: (name: string) => string;
  /** How what is done is written; a number unless given. */
  amount?: (value: number) => string;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const queries = useQueryClient();
  const mayChange = useMayChange();
  const cancel = useAction({
    mutationFn: () => client.jobs.cancel(job.id),
    onSuccess: (ended) => {
      queries.setQueryData(['jobs', job.id], ended);
      return queries.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
  const { done, total, percent, seconds_left } = job.progress;
  const words = job.state === 'waiting' ? t('jobs.waiting') : stage(job.progress.stage ?? '');
  const write = amount ?? ((value: number) => format.number(value));
  const count = total === null ? null : t('jobs.doneOf', { done: write(done), total: write(total) });
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

/** Calls `onEnd` when a job that this page has seen in progress has ended; answers whether it has. */
export function useOnEnd(job: Job, onEnd: () => void): boolean {
  const call = useRef(onEnd);
  call.current = onEnd;
  const wasUnderWay = useRef(false);
  const isGoing = isUnderWay(job);
  useEffect(() => {
    if (wasUnderWay.current && !isGoing) call.current();
    wasUnderWay.current ||= isGoing;
  }, [isGoing]);
  return wasUnderWay.current && !isGoing;
}

/** A job, refreshed until it has ended. */
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
