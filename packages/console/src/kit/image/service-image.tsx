import { mdiImageOff } from '@mdi/js';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { Icon } from '../icon.js';
import styles from './service-image.module.css';
import { useObjectUrl } from './use-shown-image.js';

/** How long an image that scrolled out of view is cached. */
const keptMs = 60_000;

/**
 * An image stored by the service. Requested when it is shown, aborted when it scrolls out of view; `icon`
 * is shown until then and when there is none.
 */
export function ServiceImage({
  queryKey,
  read,
  alt,
  icon = mdiImageOff,
  fit = 'cover',
}: {
  /** Identifies the content of the image: it is not requested again. */
  queryKey: QueryKey;
  read: (signal: AbortSignal) => Promise<Blob>;
  /** Empty if the text beside the image says the same. */
  alt: string;
  icon?: string;
  fit?: 'cover' | 'contain';
}) {
  const { data, isError } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
  });
  const url = useObjectUrl(data);
  return (
    <div className={styles['frame']} data-waiting={!url && !isError}>
      {url ? (
        <img className={styles['image']} data-fit={fit} src={url} alt={alt} draggable={false} />
      ) : (
        isError && <Icon path={icon} size={32} />
      )}
    </div>
  );
}
