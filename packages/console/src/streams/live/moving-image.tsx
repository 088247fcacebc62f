import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import styles from './live-image.module.css';

/** A proxy that gathers answers passes none of it on. */
const firstFrameMs = 12_000;

/** Motion JPEG while the page is shown. `onFail` when none arrives. */
export function MovingImage({ src, alt, onFail }: { src: string; alt: string; onFail: () => void }) {
  const image = useRef<HTMLImageElement>(null);
  const fail = useRef(onFail);
  fail.current = onFail;
  const isShown = useDocumentVisibility() === 'visible';
  useEffect(() => {
    const element = image.current;
    if (!element || !isShown) return;
    element.src = src;
    const timer = setTimeout(() => {
      if (element.naturalWidth === 0) fail.current();
    }, firstFrameMs);
    return () => {
      clearTimeout(timer);
      // Without it browsers go on reading what is shown nowhere.
      element.removeAttribute('src');
    };
  }, [src, isShown]);
  return (
    <img
      ref={image}
      className={styles['image']}
      alt={alt}
      loading="lazy"
      draggable={false}
      onError={() => fail.current()}
    />
  );
}
