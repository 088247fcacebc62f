import { useInViewport } from '@mantine/hooks';
import { mdiImage } from '@mdi/js';
import { Icon } from '../icon.js';
import styles from './service-image.module.css';
import { useShownImage } from './use-shown-image.js';

/** An image that the user chose, or an icon if it cannot be shown. */
export function LocalImage({
  source,
  maxSide,
  alt = '',
  fit = 'cover',
}: {
  source: File | { readonly url: string };
  /** Longer side in pixels of the service's preview, for an image that the browser cannot show. */
  maxSide: number;
  alt?: string;
  fit?: 'cover' | 'contain';
}) {
  // In a long list only visible images are sent for a preview.
  const { ref, inViewport } = useInViewport();
  const { src, isWaiting, onBroken } = useShownImage(source, { maxSide, isInSight: inViewport });
  return (
    <div ref={ref} className={styles['frame']} data-waiting={isWaiting}>
      {src ? (
        <img className={styles['image']} data-fit={fit} src={src} alt={alt} onError={onBroken} />
      ) : (
        !isWaiting && <Icon path={mdiImage} size={24} />
      )}
    </div>
  );
}
