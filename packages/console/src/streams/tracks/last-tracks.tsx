import type { StreamTrack } from '@lynceus/client';
import { Anchor, Badge, Box, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { GivenName } from '../../kit/given-name.js';
import { Moment } from '../../kit/moment.js';
import { Thumbnail } from '../../kit/thumbnail.js';
import { useFormat } from '../../kit/use-format.js';
import { snapshotAddress } from '../../service/addresses.js';
import { nameOfTrack, secondsSeen } from '../../stream-events/seen-times.js';
import { useLastTracks } from '../queries.js';
import styles from './last-tracks.module.css';

const shownTracks = 12;
const imageSide = 160;

/** The newest objects of a stream, kept up to date by events of the service. */
export function LastTracks({ streamId }: { streamId: number }) {
  const { t } = useTranslation();
  const tracks = useLastTracks(streamId, shownTracks);
  return (
    <section aria-labelledby="last-tracks">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h5" id="last-tracks">
          {t('streams.tracks.title')}
        </Title>
        <Anchor component={Link} to={`/stream-events?stream=${streamId}`} size="sm">
          {t('streams.tracks.all')}
        </Anchor>
      </Group>
      <Answered query={tracks}>
        {(found: readonly StreamTrack[]) =>
          found.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('streams.tracks.none')}
            </Text>
          ) : (
            <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
              {found.map((track) => (
                <TrackRow key={track.id} track={track} />
              ))}
            </Stack>
          )
        }
      </Answered>
    </section>
  );
}

function TrackRow({ track }: { track: StreamTrack }) {
  const { t } = useTranslation();
  const { duration, percent } = useFormat();
  const { id, label, person, started_at, ended_at, has_snapshot, stationary } = track;
  const zones = track.entered_zones.join(', ');
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="start">
      <div className={styles['image']}>
        {has_snapshot && (
          <Thumbnail src={snapshotAddress(id, { isCropped: true, maxSide: imageSide })} alt="" />
        )}
      </div>
      <Box miw={0} flex={1}>
        <Group gap={6} wrap="nowrap">
          <Anchor
            component={Link}
            to={`/stream-events?stream=${track.stream_id}&track=${id}`}
            c="inherit"
            size="sm"
            fw={600}
            truncate="end"
          >
            <bdi>{nameOfTrack(track)}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed">
            {percent(person?.score ?? track.top_score, 0)}
          </Text>
          {ended_at === null && (
            <Badge variant="light" size="sm" style={{ flexShrink: 0 }}>
              {t(stationary ? 'streams.tracks.still' : 'streams.tracks.now')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          <Moment at={started_at} hasSeconds />{' '}
          {t('streams.tracks.seenFor', { duration: duration(secondsSeen(track)) })}
        </Text>
        {person && (
          <Text size="xs" c="dimmed" truncate="end">
            {label}
          </Text>
        )}
        {zones && <GivenName size="xs" c="dimmed" name={t('streams.tracks.zones', { zones })} />}
        {track.texts.length > 0 && <GivenName size="xs" c="dimmed" name={`“${track.texts.join('”, “')}”`} />}
      </Box>
    </Group>
  );
}
