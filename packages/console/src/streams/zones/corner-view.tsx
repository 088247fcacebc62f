import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';
import type { Corner } from './polygon.js';
import type { ShownShape } from './shape-look.js';
import type { StageSize } from './use-stage-pointer.js';
import styles from './zone-stage.module.css';

/** In CSS pixels. What can be pressed is larger than what is seen, for fingers. */
const cornerRadius = 7;
const cornerReach = 16;
const edgeRadius = 4;
const edgeReach = 12;

/** A corner of the selected shape. */
export function CornerView({
  index,
  shape: { polygon, colour },
  size,
  isChosen,
  onFocus,
  onKeyDown,
}: {
  index: number;
  shape: ShownShape;
  size: StageSize;
  isChosen: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const [x, y] = polygon[index] ?? [0, 0];
  const place = { cx: x * size.width, cy: y * size.height };
  const facts = { number: index + 1, count: polygon.length, x: percent(x), y: percent(y) };
  const asButton = {
    role: 'button',
    tabIndex: 0,
    'aria-pressed': isChosen,
    'aria-label': t('zones.corner', facts),
    onFocus,
    onKeyDown,
  };
  return (
    <g
      {...asButton}
      data-press={`corner-${index}`}
      data-focus={`corner-${index}`}
      className={styles['corner']}
    >
      <circle {...place} r={cornerRadius} className={styles['cornerDot']} stroke={colour} />
      <circle {...place} r={cornerReach} className={styles['reach']} />
    </g>
  );
}

/** The middle of an edge, which becomes a corner when it is dragged. */
export function EdgeView({ index, at: [x, y], size }: { index: number; at: Corner; size: StageSize }) {
  const place = { cx: x * size.width, cy: y * size.height };
  return (
    <g data-press={`edge-${index}`} className={styles['edge']}>
      <circle {...place} r={edgeRadius} className={styles['edgeDot']} />
      <circle {...place} r={edgeReach} className={styles['reach']} />
    </g>
  );
}
