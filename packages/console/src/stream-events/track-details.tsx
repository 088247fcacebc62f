import type { StreamTrack } from '@lynceus/client';
import { Anchor, Badge, Group, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Moment } from '../kit/moment.js';
import { useFormat } from '../kit/use-format.js';
import { clipAddress, snapshotAddress } from '../service/addresses.js';
import { useMayChange } from '../service/current-session.js';
import { nameOfTrack, secondsSeen } from './seen-times.js';
import { TrackActions } from './track-actions.js';
import styles from './track-details.module.css';
import { TrackHistory } from './track-history.js';
import { useStreams } from './use-streams.js';

/** One object: its snapshot and clip, what is known of it, and what happened to it. */
export function TrackDetails({
  track,
  onGone,
  onPerson,
}: {
  track: StreamTrack;
  onGone: () => void;
  onPerson: (personId: number) => void;
}) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  return (
    <Stack>
      {(track.ended_at === null || track.stationary) && (
        <Group gap="xs">
          {track.ended_at === null && (
            <Badge variant="light" color="lynx">
              {t('streamEvents.inSight')}
            </Badge>
          )}
          {track.stationary && (
            <Badge variant="light" color="gray">
              {t('streamEvents.stationary')}
            </Badge>
          )}
        </Group>
      )}
      <TrackActions track={track} mayChange={mayChange} onGone={onGone} />
      <Snapshot track={track} />
      <Clip track={track} />
      <Facts track={track} onPerson={onPerson} />
      <section aria-label={t('streamEvents.history')}>
        <Title order={3} size="h5" mb="sm">
          {t('streamEvents.history')}
        </Title>
        <TrackHistory trackId={track.id} />
      </section>
    </Stack>
  );
}

function Snapshot({ track }: { track: StreamTrack }) {
  const { t } = useTranslation();
  const [hasBoxes, setHasBoxes] = useState(false);
  if (!track.has_snapshot) return <Text c="dimmed">{t('streamEvents.noSnapshot')}</Text>;
  return (
    <Stack gap="xs">
      <img
        className={styles['media']}
        style={{ aspectRatio: `${track.width} / ${track.height}` }}
        src={snapshotAddress(track.id, { hasBoxes, maxSide: 1280 })}
        alt={t('streamEvents.snapshot', { name: nameOfTrack(track) })}
      />
      <Switch
        label={t('streamEvents.box')}
        checked={hasBoxes}
        onChange={(event) => setHasBoxes(event.currentTarget.checked)}
      />
    </Stack>
  );
}

function Clip({ track }: { track: StreamTrack }) {
  const { t } = useTranslation();
  if (!track.has_clip) return null;
  return (
    <section aria-label={t('streamEvents.clip')}>
      <Title order={3} size="h5" mb="xs">
        {t('streamEvents.clip')}
      </Title>
      {/* Clips have no sound. */}
      <video
        className={styles['media']}
        style={{ aspectRatio: `${track.width} / ${track.height}` }}
        src={clipAddress(track.id)}
        aria-label={t('streamEvents.clipOf', { name: nameOfTrack(track) })}
        preload="metadata"
        controls
        muted
        playsInline
      />
    </section>
  );
}

function Facts({ track, onPerson }: { track: StreamTrack; onPerson: (personId: number) => void }) {
  const { t } = useTranslation();
  const { duration, percent } = useFormat();
  const { nameOf } = useStreams();
  const { person, entered_zones: zones, texts } = track;
  const rows: readonly (readonly [name: string, value: ReactNode])[] = [
    ...(person
      ? [
          [
            t('streamEvents.fact.person'),
            <Anchor key="person" component="button" ta="start" onClick={() => onPerson(person.id)}>
              {t('streamEvents.allOfPerson', { name: person.name })}
            </Anchor>,
          ] as const,
        ]
      : []),
    [
      t('streamEvents.fact.stream'),
      <Anchor key="stream" component={Link} to={`/streams/${track.stream_id}`}>
        <bdi>{nameOf(track.stream_id)}</bdi>
      </Anchor>,
    ],
    [t('streamEvents.fact.from'), <Moment key="from" at={track.started_at} hasSeconds />],
    [t('streamEvents.fact.to'), <Moment key="to" at={track.last_seen_at} hasSeconds />],
    [t('streamEvents.fact.duration'), duration(secondsSeen(track))],
    ...(zones.length > 0 ? [[t('streamEvents.fact.zones'), zones.join(', ')] as const] : []),
    ...(texts.length > 0 ? [[t('streamEvents.fact.texts'), texts.join(' · ')] as const] : []),
    [t('streamEvents.fact.score'), `${track.label}, ${percent(track.top_score, 0)}`],
  ];
  return (
    <Table verticalSpacing={6}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
