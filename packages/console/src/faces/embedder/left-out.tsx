import type { EmbedderState } from '@lynceus/client';
import { Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FaceThumbnail } from '../face-thumbnail.js';
import styles from './left-out.module.css';
import { ToPersonOf } from './to-person-of.js';

/** Images that the model finds no face in: kept, and found by no search. */
export function LeftOut({ modelId, leftOut }: { modelId: number; leftOut: EmbedderState['left_out'] }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('embedder.leftOut', { count: leftOut.count })}
      </Title>
      <Text size="sm" c="dimmed">
        {t('embedder.leftOutText')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" component="ul" p={0} m={0}>
        {leftOut.images.map(({ image_id: imageId, reason }) => (
          <Group key={imageId} component="li" gap="sm" wrap="nowrap" className={styles['image'] ?? ''}>
            <div className={styles['face']}>
              <FaceThumbnail imageId={imageId} width={64} />
            </div>
            <div>
              <ToPersonOf modelId={modelId} imageId={imageId} />
              <Text size="sm">{t(`embedder.reason.${reason}`)}</Text>
            </div>
          </Group>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
