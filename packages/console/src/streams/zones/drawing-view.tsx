import type { Drawing } from './editor.js';
import { minCorners } from './polygon.js';
import type { StageSize } from './use-stage-pointer.js';
import styles from './zone-stage.module.css';

const cross = 12;

/** The shape that is being drawn: its corners, and the cross where the next one would be. */
export function DrawingView({
  drawing,
  size,
  colour,
}: {
  drawing: Drawing;
  size: StageSize;
  colour: string;
}) {
  const toPixels = ([x, y]: readonly [number, number]) => [x * size.width, y * size.height] as const;
  const { corners, cursor } = drawing;
  const [x, y] = toPixels(cursor);
  const points = [...corners, cursor].map((corner) => toPixels(corner).join()).join(' ');
  return (
    <g className={styles['drawing']}>
      <polyline points={points} className={styles['halo']} />
      <polyline points={points} className={styles['drawn']} stroke={colour} fill={colour} />
      {corners.map((corner, index) => {
        const [cx, cy] = toPixels(corner);
        const canClose = index === 0 && corners.length >= minCorners;
        return (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a corner is its index
            key={index}
            cx={cx}
            cy={cy}
            r={canClose ? 9 : 5}
            className={styles['cornerDot']}
            stroke={colour}
          />
        );
      })}
      <path
        d={`M${x - cross} ${y}H${x + cross}M${x} ${y - cross}V${y + cross}`}
        className={styles['crossHalo']}
      />
      <path
        d={`M${x - cross} ${y}H${x + cross}M${x} ${y - cross}V${y + cross}`}
        className={styles['cross']}
      />
    </g>
  );
}
