import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { CornerView, EdgeView } from './corner-view.js';
import { boundsOf, middleOfEdge } from './polygon.js';
import type { ShownShape } from './shape-look.js';
import type { StageKeys } from './use-stage-keys.js';
import type { StageSize } from './use-stage-pointer.js';
import styles from './zone-stage.module.css';

/** In CSS pixels. */
const nameHeight = 20;
const nameWidth = 200;

/** One zone or mask; its corners, and dots that become corners, while it is selected. */
export function ShapeView({
  shape,
  size,
  isChosen,
  corner,
  isFaulty,
  mayChange,
  keys,
  onFocusShape,
  onFocusCorner,
}: {
  shape: ShownShape;
  size: StageSize;
  isChosen: boolean;
  /** The index of the selected corner. */
  corner: number | null;
  isFaulty: boolean;
  mayChange: boolean;
  keys: StageKeys;
  onFocusShape: () => void;
  onFocusCorner: (index: number) => void;
}) {
  const { t } = useTranslation();
  const { key, polygon, title, colour, kind } = shape;
  const [left, top] = boundsOf(polygon);
  const points = polygon.map(([x, y]) => `${x * size.width},${y * size.height}`).join(' ');
  const indices = isChosen && mayChange ? polygon.map((_, index) => index) : [];
  // SVG has no buttons.
  const asButton = {
    role: 'button',
    tabIndex: 0,
    'aria-pressed': isChosen,
    'aria-label': t('zones.shape', { name: title, count: polygon.length }),
    onFocus: onFocusShape,
    onKeyDown: (event: KeyboardEvent) => mayChange && keys.onShapeKey(event, shape),
  };
  return (
    <g data-kind={kind} data-chosen={isChosen} data-faulty={isFaulty} className={styles['shape']}>
      <g {...asButton} data-press={`shape-${key}`} data-focus={`shape-${key}`} className={styles['outline']}>
        <polygon points={points} className={styles['halo']} />
        <polygon
          points={points}
          className={styles['line']}
          stroke={colour}
          fill={kind === 'mask' ? 'url(#zone-mask)' : colour}
        />
      </g>
      <foreignObject
        x={Math.max(0, left * size.width)}
        y={Math.max(0, top * size.height - nameHeight - 2)}
        width={nameWidth}
        height={nameHeight}
        className={styles['tag']}
      >
        <div aria-hidden="true" className={styles['name']} style={{ background: colour }}>
          <bdi>{title}</bdi>
        </div>
      </foreignObject>
      {indices.map((index) => (
        <EdgeView key={`edge ${index}`} index={index} at={middleOfEdge(polygon, index)} size={size} />
      ))}
      {indices.map((index) => (
        <CornerView
          key={`corner ${index}`}
          index={index}
          shape={shape}
          size={size}
          isChosen={index === corner}
          onFocus={() => onFocusCorner(index)}
          onKeyDown={(event) => keys.onCornerKey(event, shape, index)}
        />
      ))}
    </g>
  );
}
