import type { Stream } from '@lynceus/client';
import { Anchor, Card, Group, Stack, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Moment } from '../kit/moment.js';
import { useFormat } from '../kit/use-format.js';
import { nameOfTrack } from '../stream-events/seen-times.js';
import { LiveFrame } from './live/live-image.js';
import { RefreshedImage } from './live/refreshed-image.js';
import { useLastTracks } from './queries.js';
import { StateReason, StateTag } from './stream-state.js';

const everyMs = 1500;
const maxSide = 640;

/** A camera in the list: its live image, its state, and its last event. */
export function StreamCard({ stream }: { stream: Stream }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { id, name, state } = stream;
  const isRunning = state.state === 'running';
  return (
    <Card component="li" withBorder padding="sm" pos="relative" miw={0}>
      <Card.Section>
        <LiveFrame ratio={16 / 9}>
          <RefreshedImage
            stream={stream}
            alt={t('streams.imageOf', { name })}
            everyMs={everyMs}
            maxSide={maxSide}
            hasBoxes={false}
          />
          <StateTag stream={stream} />
        </LiveFrame>
      </Card.Section>
      <Stack gap={4} mt="sm">
        <Group justify="space-between" wrap="nowrap" gap="sm">
          {/* An overlay makes the whole card the link. */}
          <Anchor
            component={Link}
            to={`/streams/${id}`}
            fw={600}
            c="inherit"
            truncate="end"
            title={name}
            style={{ minWidth: 0 }}
          >
            <bdi>{name}</bdi>
            <span style={{ position: 'absolute', inset: 0 }} aria-hidden="true" />
          </Anchor>
          {isRunning && (
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {t('streams.fps', { fps: number(state.fps, 1) })}
            </Text>
          )}
        </Group>
        {isRunning ? (
          <LastEvent id={id} />
        ) : (
          <Text size="xs" c="dimmed" lineClamp={2}>
            <StateReason stream={stream} />
          </Text>
        )}
      </Stack>
    </Card>
  );
}

function LastEvent({ id }: { id: number }) {
  const { t } = useTranslation();
  const { ref, inViewport } = useInViewport();
  const { data } = useLastTracks(id, 1, inViewport);
  const [track] = data ?? [];
  return (
    <Text ref={ref} size="xs" c="dimmed" truncate="end" mih="1.55em">
      {track && (
        <>
          {t('streams.lastEvent')}: <bdi>{nameOfTrack(track)}</bdi>, <Moment at={track.started_at} />
        </>
      )}
      {data && !track && t('streams.noEvent')}
    </Text>
  );
}
