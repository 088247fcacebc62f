import { Box } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import styles from './annotated-image.module.css';
import type { Finding } from './finding.js';
import { FindingShape } from './finding-shape.js';

interface AnnotatedImageProps {
  readonly src: string;
  /** A description for screen readers. */
  readonly alt: string;
  readonly findings: readonly Finding[];
  readonly highlighted: string | null;
  readonly onHighlight: (id: string | null) => void;
  /** Size of the analysed image, if `src` is a smaller version of it. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** Shown instead when the browser cannot open the image. */
  readonly otherwise: ReactNode;
  /** Called in that case. */
  readonly onBroken?: () => void;
}

/** An image with its findings drawn over it. Shapes are in pixels of the image, whatever its size on the screen. */
export function AnnotatedImage(props: AnnotatedImageProps) {
  const { src, alt, findings, highlighted, onHighlight, otherwise } = props;
  const [shown, setShown] = useState<{ src: string; width: number; height: number } | null>(null);
  const [broken, setBroken] = useState<string | null>(null);
  if (broken === src) return otherwise;
  const size = props.size ?? (shown?.src === src ? shown : null);
  const drawn = findings.filter(({ corners }) => corners !== null);
  return (
    <Box className={styles['frame']}>
      <img
        className={styles['image']}
        src={src}
        alt={alt}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setShown({ src, width, height })
        }
        onError={() => {
          setBroken(src);
          props.onBroken?.();
        }}
      />
      {size && (
        <svg
          className={styles['shapes']}
          viewBox={`0 0 ${size.width} ${size.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {drawn.map((finding) => (
            <FindingShape
              key={finding.id}
              finding={finding}
              size={size}
              isHighlighted={finding.id === highlighted}
              isFaded={highlighted !== null && finding.id !== highlighted}
              onHighlight={onHighlight}
            />
          ))}
        </svg>
      )}
    </Box>
  );
}
