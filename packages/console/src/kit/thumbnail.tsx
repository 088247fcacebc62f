import { Center } from '@mantine/core';
import { mdiImageBroken } from '@mdi/js';
import { useState } from 'react';
import { Icon } from './icon.js';
import classes from './thumbnail.module.css';

/**
 * A small image of the service. The browser loads it by its address, with the cookie of the session, when it comes near the
 * viewport, and caches it as the service allows: there is no object URL to revoke.
 */
export function Thumbnail({
  src,
  alt,
  fit = 'cover',
}: {
  src: string;
  alt: string;
  fit?: 'cover' | 'contain';
}) {
  const [broken, setBroken] = useState<string | null>(null);
  if (broken === src) {
    return (
      <Center className={classes['frame']} c="dimmed" {...(alt ? { role: 'img', 'aria-label': alt } : {})}>
        <Icon path={mdiImageBroken} />
      </Center>
    );
  }
  return (
    <img
      className={classes['frame']}
      style={{ objectFit: fit }}
      src={src}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setBroken(src)}
    />
  );
}
