import type { Video } from '@lynceus/client';
import { Alert, Stack, Switch } from '@mantine/core';
import { mdiAlert } from '@mdi/js';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../kit/icon.js';
import { timelineAddress, videoFileAddress } from '../service/addresses.js';
import styles from './player.module.css';

/** The video with captions that say what is seen, as long as they are switched on. */
export function Player({
  video: { id, name, info, job, state, has_timeline: hasTimeline },
  element,
  onTime,
}: {
  video: Video;
  element: RefObject<HTMLVideoElement | null>;
  /** Called with the position, in seconds, as it plays and jumps. */
  onTime: (seconds: number) => void;
}) {
  const { t } = useTranslation();
  const [isBroken, setIsBroken] = useState(false);
  const [hasCaptions, setHasCaptions] = useState(true);
  useEffect(() => {
    const [captions] = element.current?.textTracks ?? [];
    if (captions) captions.mode = hasCaptions ? 'showing' : 'hidden';
  }, [element, hasCaptions]);
  return (
    <Stack gap="xs">
      {isBroken && (
        <Alert color="gray" icon={<Icon path={mdiAlert} />} title={t('videos.unplayable')}>
          {t('videos.unplayableText')}
        </Alert>
      )}
      {/* biome-ignore lint/a11y/useMediaCaption: captions are there once the video is analysed */}
      <video
        ref={element}
        className={styles['video']}
        style={info ? { aspectRatio: `${info.width} / ${info.height}` } : {}}
        src={videoFileAddress(id)}
        aria-label={t('videos.player', { name })}
        preload="metadata"
        controls
        playsInline
        onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime)}
        onSeeking={({ currentTarget }) => onTime(currentTarget.currentTime)}
        onError={() => setIsBroken(true)}
      >
        {hasTimeline && (
          <track
            // Read again when another timeline has come.
            key={`${job?.id} ${state}`}
            kind="captions"
            src={timelineAddress(id, 'vtt')}
            srcLang="en"
            label={t('videos.captions')}
            default
          />
        )}
      </video>
      {hasTimeline && (
        <Switch
          label={t('videos.captions')}
          checked={hasCaptions}
          onChange={(event) => setHasCaptions(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
