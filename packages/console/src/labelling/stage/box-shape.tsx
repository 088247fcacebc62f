import type { DatasetBox } from '@lynceus/client';
import type { KeyboardEvent } from 'react';
import { type Handle, handles } from './geometry.js';
import classes from './stage.module.css';
import type { View } from './view.js';

/** In CSS pixels. The target of a handle is larger than the visible handle, for fingers. */
const handleReach = 14;
const handleSide = 10;
const textHeight = 20;
/** Longer names are cut. */
const textWidth = 220;

/** One box with its class, and its handles while it is selected. */
export function BoxShape({
  box,
  view,
  colour,
  text,
  label,
  kind,
  onChoose,
}: {
  box: DatasetBox;
  view: View;
  colour: string;
  text: string;
  /** For a screen reader. */
  label: string;
  kind: 'plain' | 'chosen' | 'suggested' | 'drawn';
  onChoose?: () => void;
}) {
  const x = view.x + box.x_min * view.scale;
  const y = view.y + box.y_min * view.scale;
  const width = (box.x_max - box.x_min) * view.scale;
  const height = (box.y_max - box.y_min) * view.scale;
  const shape = { x, y, width, height };
  if (kind === 'drawn') {
    return <rect {...shape} className={classes['drawn']} stroke={colour} fill={colour} />;
  }
  const textY = y >= textHeight + 2 ? y - textHeight - 1 : y + 2;
  // SVG has no buttons.
  const asButton = {
    role: 'button',
    tabIndex: 0,
    'aria-pressed': kind === 'suggested' ? undefined : kind === 'chosen',
    onFocus: kind === 'suggested' ? undefined : onChoose,
    onKeyDown: (event: KeyboardEvent) => {
      if (kind !== 'suggested' || (event.key !== 'Enter' && event.key !== ' ')) return;
      event.preventDefault();
      event.stopPropagation();
      onChoose?.();
    },
  };
  return (
    <g className={classes['box']} data-kind={kind} {...asButton} aria-label={label}>
      <rect {...shape} className={classes['halo']} />
      <rect {...shape} className={classes['line']} stroke={colour} fill={colour} />
      {text && (
        <foreignObject x={x - 1} y={textY} width={textWidth} height={textHeight} className={classes['tag']}>
          <div aria-hidden="true" className={classes['text']} style={{ background: colour }}>
            <bdi>{text}</bdi>
          </div>
        </foreignObject>
      )}
      {kind === 'chosen' &&
        handles.map((handle) => {
          const at = pointOfHandle(handle, shape);
          return (
            <g key={handle} data-cursor={handle}>
              <rect
                className={classes['handle']}
                x={at.x - handleSide / 2}
                y={at.y - handleSide / 2}
                width={handleSide}
                height={handleSide}
                stroke={colour}
              />
              <rect
                data-handle={handle}
                className={classes['reach']}
                style={{ cursor: `${handle}-resize` }}
                x={at.x - handleReach}
                y={at.y - handleReach}
                width={2 * handleReach}
                height={2 * handleReach}
              />
            </g>
          );
        })}
    </g>
  );
}

function pointOfHandle(
  handle: Handle,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
) {
  return {
    x: handle.includes('w') ? x : handle.includes('e') ? x + width : x + width / 2,
    y: handle.includes('n') ? y : handle.includes('s') ? y + height : y + height / 2,
  };
}
