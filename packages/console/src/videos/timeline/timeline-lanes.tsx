import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';
import { LaneRow } from './lane-row.js';
import type { Lane } from './lanes.js';
import styles from './lanes.module.css';
import { formatTime } from './spans.js';

/** More are shown on demand: a video with much text has hundreds. */
const firstShown = 12;

/** The lanes under the player, with the position of the player in each. */
export function TimelineLanes({
  lanes,
  durationSeconds,
  atSeconds,
  chosen,
  onChoose,
  onJump,
}: {
  lanes: readonly Lane[];
  durationSeconds: number;
  atSeconds: number;
  /** The id of the lane whose finds are listed. */
  chosen: string | null;
  onChoose: (id: string | null) => void;
  onJump: (seconds: number) => void;
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? lanes : lanes.slice(0, firstShown);
  const atShare = Math.min(1, atSeconds / durationSeconds);
  return (
    <section aria-label={t('videos.timeline')}>
      <ul className={styles['lanes']}>
        {shown.map((lane) => (
          <LaneRow
            key={lane.id}
            lane={lane}
            durationSeconds={durationSeconds}
            atShare={atShare}
            isChosen={lane.id === chosen}
            onChoose={() => onChoose(lane.id === chosen ? null : lane.id)}
            onJump={onJump}
          />
        ))}
        <li className={styles['lane']} aria-hidden="true">
          <span />
          <span className={styles['axis']}>
            {[0, 0.25, 0.5, 0.75, 1].map((share) => (
              <span key={share}>{formatTime(share * durationSeconds)}</span>
            ))}
          </span>
        </li>
      </ul>
      {!showsAll && lanes.length > firstShown && (
        <Button variant="subtle" size="compact-sm" onClick={() => setShowsAll(true)}>
          {t('videos.showLanes', { number: number(lanes.length - firstShown) })}
        </Button>
      )}
    </section>
  );
}
