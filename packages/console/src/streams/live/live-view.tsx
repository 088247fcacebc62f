import type { Stream } from '@lynceus/client';
import { Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { streamViewAddress } from '../../service/addresses.js';
import { StateTag } from '../stream-state.js';
import { hasFrames, LiveFrame, NoImage, ratioOf } from './live-image.js';
import styles from './live-image.module.css';
import { MovingImage } from './moving-image.js';
import { RefreshedImage } from './refreshed-image.js';

const maxSide = 1280;
const fps = 8;
const stillMs = 1000;

/** The live image of a stream with its objects: motion JPEG, or an image a second where that does not arrive. */
export function LiveView({ stream }: { stream: Stream }) {
  const { t } = useTranslation();
  const [isMoving, setIsMoving] = useState(true);
  const [hasFailed, setHasFailed] = useState(false);
  const [hasBoxes, setHasBoxes] = useState(true);
  const { id, name, state } = stream;
  const ratio = ratioOf(stream);
  const alt = t('streams.imageOf', { name });
  const show = () => {
    if (!hasFrames(stream)) return <NoImage isAwaited={false} />;
    if (isMoving && !hasFailed) {
      return (
        <>
          <NoImage isAwaited />
          <MovingImage
            // A connection from before it was away may be over.
            key={state.since}
            src={streamViewAddress(id, { fps, hasBoxes, maxSide })}
            alt={alt}
            onFail={() => setHasFailed(true)}
          />
        </>
      );
    }
    return (
      <RefreshedImage stream={stream} alt={alt} everyMs={stillMs} maxSide={maxSide} hasBoxes={hasBoxes} />
    );
  };
  return (
    <Stack gap="xs">
      {/* At most 70 % of the height of the window. */}
      <div className={styles['view']} style={{ maxWidth: `calc(70vh * ${ratio})` }}>
        <LiveFrame ratio={ratio}>
          {show()}
          <StateTag stream={stream} />
        </LiveFrame>
      </div>
      {hasFrames(stream) && (
        <Group gap="md">
          <SegmentedControl
            size="xs"
            aria-label={t('streams.live.kind')}
            value={isMoving ? 'moving' : 'still'}
            onChange={(kind) => {
              setIsMoving(kind === 'moving');
              setHasFailed(false);
            }}
            data={[
              { value: 'moving', label: t('streams.live.moving') },
              { value: 'still', label: t('streams.live.still') },
            ]}
          />
          <Switch
            size="sm"
            label={t('streams.live.boxes')}
            checked={hasBoxes}
            onChange={(event) => setHasBoxes(event.currentTarget.checked)}
          />
        </Group>
      )}
      {isMoving && hasFailed && (
        <Text size="sm" c="dimmed" role="status">
          {t('streams.live.fallback')}
        </Text>
      )}
    </Stack>
  );
}
