import type { Job, Video } from '@lynceus/client';
import { Badge, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toSentence } from '../kit/error-text.js';
import { isUnderWay, JobProgress, useJob, useOnEnd } from '../kit/job-progress.js';
import { useFormat } from '../kit/use-format.js';
import { formatTime } from './timeline/spans.js';

const colours = { waiting: 'blue', running: 'blue', done: 'lynx', failed: 'red', cancelled: 'gray' } as const;

/** By the name that the job has for them. */
const stages: Readonly<Record<string, 'fetching' | 'analysing' | 'waiting'>> = {
  fetching: 'fetching',
  'waiting for room': 'waiting',
};

/** The state of a video in a list, with the progress of the work on it. */
export function VideoState({ video }: { video: Video }) {
  const { t } = useTranslation();
  const { state, job } = video;
  if (job && isUnderWay(job)) return <VideoProgress video={video} />;
  return (
    <>
      <Badge variant="light" color={colours[state]}>
        {t(`videos.state.${state}`)}
      </Badge>
      {state === 'failed' && job?.error && (
        <Text size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {toSentence(job.error)}
        </Text>
      )}
    </>
  );
}

/** The progress of the work on a video; afterwards the video is read again. */
export function VideoProgress({ video: { id, job } }: { video: Video }) {
  return job ? <Progressing videoId={id} known={job} /> : null;
}

function Progressing({ videoId, known }: { videoId: number; known: Job }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { bytes } = useFormat();
  const { data: job = known } = useJob(known.id, known);
  useOnEnd(job, () => {
    queries.invalidateQueries({ queryKey: ['videos', 'list'] });
    queries.invalidateQueries({ queryKey: ['videos', videoId] });
  });
  const isFetching = job.progress.stage === 'fetching';
  return (
    <Stack gap={6}>
      <JobProgress
        job={job}
        stage={(name) => t(`videos.stage.${stages[name] ?? 'analysing'}`)}
        amount={isFetching ? bytes : formatTime}
      />
      {job.state === 'waiting' && job.error && (
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          {toSentence(job.error)}
        </Text>
      )}
    </Stack>
  );
}
