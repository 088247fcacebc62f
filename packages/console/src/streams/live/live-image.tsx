import type { Stream } from '@lynceus/client';
import { mdiVideoOff, mdiVideoOutline } from '@mdi/js';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import styles from './live-image.module.css';

/** The frame of a live image; `children` the image, or null while there is none. */
export function LiveFrame({
  ratio,
  children,
}: {
  /** Of width to height. */
  ratio: number;
  children: ReactNode;
}) {
  return (
    <div className={styles['frame']} style={{ aspectRatio: ratio }}>
      {children}
    </div>
  );
}

/** In the place of an image. */
export function NoImage({ isAwaited }: { isAwaited: boolean }) {
  const { t } = useTranslation();
  return (
    <div className={styles['nothing']}>
      <Icon path={isAwaited ? mdiVideoOutline : mdiVideoOff} size={32} />
      <span>{t(isAwaited ? 'streams.noImageYet' : 'streams.noImage')}</span>
    </div>
  );
}

/** Whether frames are likely: others are not asked for, since the service waits for each for seconds. */
export function hasFrames({ state }: Pick<Stream, 'state'>): boolean {
  return state.state === 'running' || state.state === 'frozen' || state.state === 'connecting';
}

const usualRatio = 16 / 9;

/** Of width to height of the frames, as far as it is known. */
export function ratioOf({ state: { width, height } }: Pick<Stream, 'state'>): number {
  return width && height ? width / height : usualRatio;
}
