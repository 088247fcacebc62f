import type { Stream } from '@lynceus/client';
import { Grid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../kit/moment.js';
import { useFormat } from '../../kit/use-format.js';
import { StateReason } from '../stream-state.js';
import { LastTracks } from '../tracks/last-tracks.js';
import styles from './live-image.module.css';
import { LiveView } from './live-view.js';
import { SourceName } from './source-name.js';

/** What a camera shows now: its image, its state, and its last events. */
export function LiveTab({ stream }: { stream: Stream }) {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack>
          <LiveView stream={stream} />
          <Facts stream={stream} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <LastTracks streamId={stream.id} />
      </Grid.Col>
    </Grid>
  );
}

function Facts({ stream }: { stream: Stream }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { state, source, enabled } = stream;
  const { width, height, fps, since, last_frame_at } = state;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [
      enabled ? t(`streams.state.${state.state}`) : t('streams.disabled'),
      <StateReason key="" stream={stream} />,
    ],
    [t('streams.since'), <Moment key="" at={since} />],
    ...(state.state === 'running' && fps > 0
      ? [[t('streams.analysed'), t('streams.fps', { fps: number(fps, 1) })] as const]
      : []),
    ...(width && height ? [[t('streams.size'), t('streams.pixels', { width, height })] as const] : []),
    ...(last_frame_at && state.state !== 'running'
      ? [[t('streams.lastFrame'), <Moment key="" at={last_frame_at} hasSeconds />] as const]
      : []),
    [t('streams.source'), <SourceName key="" source={source} />],
  ];
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  );
}
