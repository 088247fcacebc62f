import type { Video, VideoTimeline } from '@lynceus/client';
import { Alert, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { mdiAlert } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { toSentence } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { Moment } from '../kit/moment.js';
import { NotFound } from '../kit/not-found.js';
import { PageHead } from '../kit/page-head.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { AnalyseAgain } from './analyse-again.js';
import { Player } from './player.js';
import { FindList } from './timeline/find-list.js';
import { toLanes } from './timeline/lanes.js';
import { TimelineLanes } from './timeline/timeline-lanes.js';
import { VideoMenu } from './video-menu.js';
import { VideoProgress } from './video-state.js';

/** One video: the player, its timeline, and what was found. */
export function VideoPage() {
  const id = Number(useParams()['id']);
  const client = useClient();
  const isId = Number.isSafeInteger(id) && id > 0;
  const video = useQuery({
    queryKey: ['videos', id, 'one'],
    queryFn: ({ signal }) => client.videos.read(id, { signal }),
    enabled: isId,
  });
  if (!isId) return <NotFound />;
  return <Answered query={video}>{(found) => <Shown video={found} />}</Answered>;
}

function Shown({ video }: { video: Video }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const { name, state, has_timeline: hasTimeline } = video;
  return (
    <>
      <PageHead title={name} back={{ to: '/videos', name: t('videos.title') }}>
        {mayChange && state === 'done' && <AnalyseAgain video={video} />}
        <VideoMenu video={video} mayChange={mayChange} />
      </PageHead>
      <Facts video={video} />
      {state !== 'done' && (
        <Stack maw={800} mb="md">
          <Unfinished video={video} mayChange={mayChange} />
          {!hasTimeline && video.file && state !== 'failed' && <PlayerAlone video={video} />}
        </Stack>
      )}
      {hasTimeline && <Analysed video={video} />}
    </>
  );
}

function PlayerAlone({ video }: { video: Video }) {
  const element = useRef<HTMLVideoElement>(null);
  return <Player video={video} element={element} onTime={() => undefined} />;
}

/** The work on it, or why it ended. */
function Unfinished({ video, mayChange }: { video: Video; mayChange: boolean }) {
  const { t } = useTranslation();
  const { state, has_timeline: hasTimeline } = video;
  if (state === 'waiting' || state === 'running') {
    return (
      <Card withBorder>
        {hasTimeline && (
          <Text size="sm" mb="sm">
            {t('videos.again.running')}
          </Text>
        )}
        <VideoProgress video={video} />
      </Card>
    );
  }
  const isFailed = state === 'failed';
  return (
    <Alert
      color={isFailed ? 'red' : 'gray'}
      icon={<Icon path={mdiAlert} />}
      title={t(isFailed ? 'videos.failed' : 'videos.cancelled')}
    >
      <Stack align="flex-start" gap="sm">
        {isFailed && (
          <span style={{ overflowWrap: 'anywhere' }}>
            {toSentence(video.job?.error ?? t('videos.forgotten'))}
          </span>
        )}
        {hasTimeline && <span>{t('videos.again.stays')}</span>}
        {mayChange && <AnalyseAgain video={video} isMain />}
      </Stack>
    </Alert>
  );
}

function Analysed({ video }: { video: Video }) {
  const client = useClient();
  const timeline = useQuery({
    queryKey: ['videos', video.id, 'timeline'],
    queryFn: ({ signal }) => client.videos.readTimeline(video.id, { signal }),
  });
  return <Answered query={timeline}>{(found) => <WithTimeline video={video} timeline={found} />}</Answered>;
}

function WithTimeline({ video, timeline }: { video: Video; timeline: VideoTimeline }) {
  const { t } = useTranslation();
  const element = useRef<HTMLVideoElement>(null);
  const [atSeconds, setAtSeconds] = useState(0);
  const [chosen, setChosen] = useState<string | null>(null);
  const { lanes, durationSeconds } = useMemo(() => toLanes(timeline), [timeline]);
  const jump = (seconds: number) => {
    setAtSeconds(seconds);
    const player = element.current;
    if (!player) return;
    player.currentTime = seconds;
    player.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack>
          <Player video={video} element={element} onTime={setAtSeconds} />
          {timeline.is_cut && <Alert color="orange">{t('videos.isCut')}</Alert>}
          {lanes.length === 0 ? (
            <Text c="dimmed">{t('videos.nothing')}</Text>
          ) : (
            <TimelineLanes
              lanes={lanes}
              durationSeconds={durationSeconds}
              atSeconds={atSeconds}
              chosen={chosen}
              onChoose={setChosen}
              onJump={jump}
            />
          )}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <FindList
          key={chosen}
          videoId={video.id}
          tracks={timeline.tracks}
          lane={lanes.find(({ id }) => id === chosen) ?? null}
          onShowAll={() => setChosen(null)}
          onJump={jump}
        />
      </Grid.Col>
    </Grid>
  );
}

function Facts({ video: { info, file, address, expires_at } }: { video: Video }) {
  const { t } = useTranslation();
  const { bytes, duration } = useFormat();
  const facts = [
    ...(info
      ? [
          duration(info.duration_seconds),
          t('videos.facts', { width: info.width, height: info.height, codec: info.codec }),
        ]
      : []),
    ...(file ? [bytes(file.bytes)] : []),
    ...(address === null ? [] : [address]),
  ];
  return (
    <Group gap="xs" mb="md" mt={-8}>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {facts.join(' · ')}
        {expires_at !== null && (
          <>
            {facts.length > 0 && ' · '}
            {t('videos.expires')} <Moment at={expires_at} />
          </>
        )}
      </Text>
    </Group>
  );
}
