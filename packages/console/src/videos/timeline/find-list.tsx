import type { TimelineTrack } from '@lynceus/client';
import { Box, Button, Center, Group, Text, Title, UnstyledButton } from '@mantine/core';
import { mdiShapeOutline } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { Thumbnail } from '../../kit/thumbnail.js';
import { useFormat } from '../../kit/use-format.js';
import { videoThumbnailAddress } from '../../service/addresses.js';
import styles from './find-list.module.css';
import { isOfLane, type Lane } from './lanes.js';
import { formatTime } from './spans.js';

const step = 40;

/** The objects that were found, in order; a click jumps to where one begins. */
export function FindList({
  videoId,
  tracks,
  lane,
  onShowAll,
  onJump,
}: {
  videoId: number;
  tracks: readonly TimelineTrack[];
  /** Only its finds; null: all. */
  lane: Lane | null;
  onShowAll: () => void;
  onJump: (seconds: number) => void;
}) {
  const { t } = useTranslation();
  const [count, setCount] = useState(step);
  const found = lane ? tracks.filter((track) => isOfLane(track, lane)) : tracks;
  return (
    <section aria-labelledby="video-finds">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h5" id="video-finds" style={{ overflowWrap: 'anywhere' }}>
          {lane ? t('videos.findsOf', { name: lane.name }) : t('videos.finds')}
        </Title>
        {lane && (
          <Button variant="subtle" size="compact-sm" onClick={onShowAll}>
            {t('videos.allFinds')}
          </Button>
        )}
      </Group>
      {found.length === 0 ? (
        <Text c="dimmed">{t('videos.noFinds')}</Text>
      ) : (
        <ul className={styles['list']}>
          {found.slice(0, count).map((track) => (
            <li key={track.id}>
              <Find videoId={videoId} track={track} onJump={onJump} />
            </li>
          ))}
          {found.length > count && (
            <li>
              <Button variant="subtle" size="compact-sm" onClick={() => setCount(count + step)}>
                {t('videos.moreFinds')}
              </Button>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

function Find({
  videoId,
  track,
  onJump,
}: {
  videoId: number;
  track: TimelineTrack;
  onJump: (seconds: number) => void;
}) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const { start_seconds, end_seconds, thumbnail, person, label, score, texts } = track;
  const name = person?.name ?? label;
  const from = formatTime(start_seconds);
  const seen = person ? t('videos.score', { label, percent: percent(score, 0) }) : percent(score, 0);
  return (
    <UnstyledButton className={styles['find'] ?? ''} onClick={() => onJump(start_seconds)}>
      <Box className={styles['image'] ?? ''}>
        {thumbnail === null ? (
          <Center h="100%" c="dimmed">
            <Icon path={mdiShapeOutline} />
          </Center>
        ) : (
          <Thumbnail src={videoThumbnailAddress(videoId, thumbnail)} alt="" />
        )}
      </Box>
      <Box miw={0}>
        <GivenName name={name} size="sm" fw={500} />
        <GivenName name={[seen, ...texts].join(' · ')} size="xs" c="dimmed" />
      </Box>
      <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
        {from}–{formatTime(end_seconds)}
      </Text>
    </UnstyledButton>
  );
}
