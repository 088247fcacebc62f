import type { FaceBox } from '@lynceus/client';
import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { toShares } from './box-geometry.js';
import styles from './boxed-image.module.css';

interface BoxedFace {
  readonly box: FaceBox;
  /** A description for screen readers. */
  readonly label: string;
  /** Shown at the box. */
  readonly mark?: string;
  readonly tone?: 'match' | 'unsure' | 'unknown';
}

/** An image with boxes around its faces, in pixels of `size`. With `onChoose` faces can be selected. */
export function BoxedImage({
  size,
  faces,
  chosen = null,
  onChoose,
  children,
}: {
  size: { readonly width: number; readonly height: number };
  faces: readonly BoxedFace[];
  /** The index of the selected face. */
  chosen?: number | null;
  onChoose?: (index: number) => void;
  /** The image itself, which fills its frame. */
  children: ReactNode;
}) {
  // The frame has the aspect ratio of the image, and at most 70 % of the height of the window.
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
