import { mdiAccount } from '@mdi/js';
import { Icon } from '../kit/icon.js';
import { ServiceImage } from '../kit/image/service-image.js';
import { useClient } from '../service/client.js';
import styles from './face-thumbnail.module.css';

/** The face of an image, or an icon if there is no image. */
export function FaceThumbnail({
  imageId,
  alt = '',
  width = 160,
}: {
  imageId: number | null;
  /** Empty by default: the name is beside it. */
  alt?: string;
  width?: 64 | 160 | 320;
}) {
  const client = useClient();
  return (
    <div className={styles['square']}>
      {imageId === null ? (
        <Icon path={mdiAccount} size={36} />
      ) : (
        <ServiceImage
          queryKey={['face-images', imageId, width]}
          read={(signal) => client.faceImages.readContent(imageId, { width, crop: 'face', signal })}
          alt={alt}
          icon={mdiAccount}
        />
      )}
    </div>
  );
}
