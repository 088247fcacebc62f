import type { CountedDataset, Dataset } from '@lynceus/client';
import { Anchor, Badge, Card, Group, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Thumbnail } from '../kit/thumbnail.js';
import { useFormat } from '../kit/use-format.js';
import { datasetImageAddress } from '../service/addresses.js';
import { useClient } from '../service/client.js';
import { useDataset } from './queries.js';

const imagesShown = 4;

/** A dataset in the list: its newest images and its progress. */
export function DatasetCard({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: counted } = useDataset(dataset.id);
  const { data: images = [] } = useNewestImages(dataset.id, imagesShown);
  return (
    <Card withBorder padding="md" pos="relative">
      <Card.Section h={84} mb="sm" aria-hidden="true">
        <SimpleGrid cols={imagesShown} spacing={2} h="100%">
          {Array.from({ length: imagesShown }, (_, index) => {
            const image = images[index];
            return (
              <div key={image?.id ?? `empty ${index}`} style={{ height: 84 }}>
                {image ? (
                  <Thumbnail src={datasetImageAddress(dataset.id, image.id, 160)} alt="" />
                ) : (
                  <Skeleton h="100%" radius={0} animate={false} />
                )}
              </div>
            );
          })}
        </SimpleGrid>
      </Card.Section>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" gap="xs">
          {/* An overlay makes the whole card the link. */}
          <Anchor
            component={Link}
            to={`/datasets/${dataset.id}`}
            fw={600}
            truncate="end"
            title={dataset.name}
            c="var(--mantine-color-text)"
            className="mantine-active"
            style={{ minWidth: 0 }}
          >
            <bdi>{dataset.name}</bdi>
            <span style={{ position: 'absolute', inset: 0 }} aria-hidden="true" />
          </Anchor>
          <Badge variant="light" style={{ flexShrink: 0 }}>
            {t(`datasets.task.${dataset.multi_label ? 'multi_label' : dataset.task}`)}
          </Badge>
        </Group>
        {counted ? (
          <>
            <Text size="sm" c="dimmed">
              {t('datasets.counts', {
                count: counted.images,
                images: format.number(counted.images),
                classes: format.number(counted.classes.length),
              })}
            </Text>
            <LabelledBar dataset={counted} />
          </>
        ) : (
          <Skeleton h={44} />
        )}
      </Stack>
    </Card>
  );
}

function useNewestImages(datasetId: number, limit: number) {
  const client = useClient();
  return useQuery({
    queryKey: ['dataset-images', datasetId, 'newest', limit],
    queryFn: async ({ signal }) => (await client.datasetImages.page(datasetId, { limit, signal })).data,
  });
}

/** How many of the images are labelled. */
export function LabelledBar({ dataset }: { dataset: Pick<CountedDataset, 'images' | 'labelled'> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { images, labelled } = dataset;
  const words = t('datasets.labelledOf', {
    labelled: format.number(labelled),
    images: format.number(images),
  });
  return (
    <Stack gap={4} flex={1} miw={160}>
      <Progress.Root size="sm">
        <Progress.Section value={images === 0 ? 0 : (100 * labelled) / images} aria-label={words} />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {words}
      </Text>
    </Stack>
  );
}
