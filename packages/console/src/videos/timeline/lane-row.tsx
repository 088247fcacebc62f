import { UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GivenName } from '../../kit/given-name.js';
import type { Lane } from './lanes.js';
import styles from './lanes.module.css';
import { formatTime, type Span, secondAt } from './spans.js';

/**
 * One lane: its name filters the finds; a click jumps to that second, and a span to its start. Its spans are one stop of the Tab
 * key: arrow keys, Home and End move between them.
 */
export function LaneRow({
  lane,
  durationSeconds,
  atShare,
  isChosen,
  onChoose,
  onJump,
}: {
  lane: Lane;
  durationSeconds: number;
  /** Where the player is, 0 to 1. */
  atShare: number;
  isChosen: boolean;
  onChoose: () => void;
  onJump: (seconds: number) => void;
}) {
  const { t } = useTranslation();
  const track = useRef<HTMLDivElement>(null);
  const [focusable, setFocusable] = useState(0);
  const { name, kind, spans } = lane;
  const jumpTo = (event: MouseEvent) => {
    const bounds = track.current?.getBoundingClientRect();
    // A key press on a span is a click without a position.
    if (!bounds || event.target !== track.current) return;
    onJump(secondAt((event.clientX - bounds.left) / bounds.width, durationSeconds));
  };
  const move = (event: KeyboardEvent, index: number) => {
    const last = spans.length - 1;
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (to === undefined || to < 0 || to > last) return;
    event.preventDefault();
    setFocusable(to);
    const button = track.current?.querySelectorAll('button')[to];
    button?.focus();
  };
  return (
    <li className={styles['lane']}>
      <UnstyledButton
        className={styles['name'] ?? ''}
        aria-pressed={isChosen}
        title={t('videos.laneHint', { name })}
        onClick={onChoose}
      >
        <GivenName name={name} size="sm" fw={isChosen ? 700 : 500} />
        <span className={styles['kind']}>{t(`videos.laneKind.${kind}`)}</span>
      </UnstyledButton>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the spans in it and the player are for the keyboard */}
      <div ref={track} className={styles['track']} role="group" aria-label={name} onClick={jumpTo}>
        {spans.map((span, index) => (
          <button
            key={span.fromSeconds}
            type="button"
            className={styles['span']}
            data-kind={kind}
            style={{ left: `${span.start * 100}%`, width: `${span.width * 100}%` }}
            tabIndex={index === Math.min(focusable, spans.length - 1) ? 0 : -1}
            aria-label={describe(span)}
            title={describe(span)}
            onFocus={() => setFocusable(index)}
            onKeyDown={(event) => move(event, index)}
            onClick={() => onJump(span.fromSeconds)}
          />
        ))}
        <span className={styles['head']} style={{ left: `${atShare * 100}%` }} aria-hidden="true" />
      </div>
    </li>
  );

  function describe({ fromSeconds, toSeconds }: Span): string {
    return t('videos.span', { name, from: formatTime(fromSeconds), to: formatTime(toSeconds) });
  }
}
