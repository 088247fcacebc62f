import type { Person } from '@lynceus/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { GivenName } from '../../kit/given-name.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import styles from './person-card.module.css';

/** Height of the two lines beneath the face. */
export const personCardBelowPx = 52;

export function PersonCard({ person }: { person: Person }) {
  const { t } = useTranslation();
  return (
    <Link to={`/faces/${person.model_id}/people/${person.id}`} className={styles['card']}>
      <FaceThumbnail imageId={person.image_id} />
      <div className={styles['words']}>
        <GivenName name={person.name} fw={500} size="sm" />
        <Text size="xs" c="dimmed" truncate>
          {t('faces.images', { count: person.images })}
          {person.key_id !== null && ` · ${person.key_id}`}
        </Text>
      </div>
    </Link>
  );
}
