import type { Perception } from '@lynceus/client';
import { Anchor, Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { GivenName } from '../../kit/given-name.js';
import { Moment } from '../../kit/moment.js';
import { useClient } from '../../service/client.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import { usePerception } from '../queries.js';
import styles from './perception-card.module.css';

/** Faces that do not fit into one row are not shown. */
const shown = 6;

/** A perception in the list: its name, some faces, and its counts. */
export function PerceptionCard({ perception }: { perception: Perception }) {
  const { t } = useTranslation();
  const { model_id: id, name } = perception;
  const counts = usePerception(id).data;
  const faces = useNewestPeople(id).data ?? [];
  return (
    <Card component="li" withBorder className={styles['card']}>
      <Stack gap="xs">
        <div className={styles['faces']} aria-hidden="true">
          {faces.length === 0 && (
            <div className={styles['face']}>
              <FaceThumbnail imageId={null} />
            </div>
          )}
          {faces.map((person) => (
            <div key={person.id} className={styles['face']}>
              <FaceThumbnail imageId={person.image_id} width={64} />
            </div>
          ))}
        </div>
        <Anchor component={Link} to={`/faces/${id}`} className={styles['link']} c="var(--mantine-color-text)">
          <GivenName name={name} fw={600} size="lg" />
        </Anchor>
        <Text size="sm" c="dimmed">
          {counts
            ? `${t('faces.people', { count: counts.people })} · ${t('faces.images', { count: counts.images })}`
            : '\u00a0'}
        </Text>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {t('faces.number', { id })}
          </Text>
          <Text size="sm" c="dimmed">
            <Moment at={perception.created_at} />
          </Text>
        </Group>
      </Stack>
    </Card>
  );
}

/** The people who were added last and have an image. */
function useNewestPeople(modelId: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['faces', 'newest', modelId],
    queryFn: ({ signal }) => client.people.page(modelId, { limit: shown * 2, signal }),
    select: ({ data }) => data.filter(({ image_id }) => image_id !== null).slice(0, shown),
  });
}
