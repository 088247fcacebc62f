import { mdiImage } from '@mdi/js';
import { useState } from 'react';
import { Icon } from '../icon.js';
import styles from './service-picture.module.css';
import { useObjectUrl } from './use-object-url.js';

/**
 * A picture that a person gave. Some kinds that the service reads no browser shows, and of an address nothing is fetched
 * here: an icon stands for these.
 */
export function LocalPicture({
  source,
  alt = '',
  fit = 'cover',
}: {
  source: Blob | { readonly url: string };
  alt?: string;
  fit?: 'cover' | 'contain';
}) {
  const blob = source instanceof Blob ? source : null;
  const url = useObjectUrl(blob);
  const [broken, setBroken] = useState<Blob | null>(null);
  return (
    <div className={styles['frame']}>
      {url && broken !== blob ? (
        <img
          className={styles['picture']}
          data-fit={fit}
          src={url}
          alt={alt}
          onError={() => setBroken(blob)}
        />
      ) : (
        <Icon path={mdiImage} size={24} />
      )}
    </div>
  );
}
