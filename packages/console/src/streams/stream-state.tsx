import type { Stream } from '@lynceus/client';
import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { toSentence } from '../kit/error-text.js';
import styles from './live/live-image.module.css';

type State = Stream['state']['state'];

const tones: Readonly<Record<State, 'good' | 'warning' | 'bad' | 'none'>> = {
  connecting: 'none',
  running: 'good',
  frozen: 'warning',
  away: 'bad',
  resting: 'none',
  waiting: 'warning',
  stopped: 'none',
};

/** The state of a stream in a word, over its image. */
export function StateTag({ stream }: { stream: Stream }) {
  const { t } = useTranslation();
  const { state } = stream.state;
  return (
    <span className={styles['state']} data-state={state}>
      <span className={styles['dot']} data-tone={stream.enabled ? tones[state] : 'none'} aria-hidden="true" />
      {stream.enabled ? t(`streams.state.${state}`) : t('streams.disabled')}
    </span>
  );
}

/** Why a stream is in its state: the service's reason, or what the state means. */
export function StateReason({ stream }: { stream: Stream }) {
  const { t } = useTranslation();
  const { state, reason } = stream.state;
  if (!stream.enabled) return t('streams.stateText.disabled');
  return (
    <Box component="span" style={{ overflowWrap: 'anywhere' }}>
      {reason ? toSentence(reason.endsWith('.') ? reason : `${reason}.`) : t(`streams.stateText.${state}`)}
    </Box>
  );
}
