import type { FaceBox } from '@lynceus/client';
import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { toShares } from './box-geometry.js';
import styles from './boxed-image.module.css';

export interface BoxedFace {
  readonly box: FaceBox;
  /** What it is, for who does not see the box. */
  readonly label: string;
  /** Shown at the box. */
  readonly mark?: string;
  readonly tone?: 'match' | 'unsure' | 'unknown';
}

/** An image with the faces in it, whose boxes are in pixels of its size. With `onChoose` a face can be chosen. */
export function BoxedImage({
  size,
  faces,
  chosen = null,
  onChoose,
  children,
}: {
  size: { readonly width: number; readonly height: number };
  faces: readonly BoxedFace[];
  /** Which face, counted from 0. */
  chosen?: number | null;
  onChoose?: (index: number) => void;
  /** The image itself, which fills its frame. */
  children: ReactNode;
}) {
  // The frame has the shape of the image, and is never higher than the window has room for.
  const ratio = size.width / size.height;
  return (
    <div className={styles['frame']} style={{ aspectRatio: ratio, maxWidth: `calc(70vh * ${ratio})` }}>
      {children}
      {faces.map(({ box, label, mark, tone = 'match' }, index) => {
        const { x, y, width, height } = toShares(box, size);
        const bounds = {
          insetInlineStart: `${x * 100}%`,
          top: `${y * 100}%`,
          width: `${width * 100}%`,
          height: `${height * 100}%`,
        };
        const common = { className: styles['box'], style: bounds, 'data-tone': tone };
        const key = `${box.x_min} ${box.y_min} ${box.x_max}`;
        return onChoose ? (
          <button
            key={key}
            type="button"
            {...common}
            data-chosen={index === chosen}
            aria-pressed={index === chosen}
            onClick={() => onChoose(index)}
          >
            <VisuallyHidden>{label}</VisuallyHidden>
            {mark && (
              <span className={styles['mark']} aria-hidden="true">
                {mark}
              </span>
            )}
          </button>
        ) : (
          <div key={key} {...common} role="img" aria-label={label} />
        );
      })}
    </div>
  );
}
