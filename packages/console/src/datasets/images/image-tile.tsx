import type { CountedDataset, DatasetImage } from '@lynceus/client';
import { Checkbox, Group, Text } from '@mantine/core';
import type { ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Thumbnail } from '../../kit/thumbnail.js';
import { datasetImageAddress } from '../../service/addresses.js';
import { ClassDot } from '../classes/class-dot.js';
import classes from './image-tile.module.css';

/** An image in the grid; it links to the page that labels it. */
export function ImageTile({
  dataset,
  image,
  indexOfClass,
  isSelected,
  onSelect,
}: {
  dataset: CountedDataset;
  image: DatasetImage;
  /** By the id of the class. */
  indexOfClass: ReadonlyMap<number, number>;
  isSelected: boolean;
  onSelect: ((event: ChangeEvent) => void) | null;
}) {
  const { t } = useTranslation();
  const shown = [...new Set(image.labels?.map(({ class_id }) => class_id) ?? [])].map((id) => {
    const index = indexOfClass.get(id) ?? -1;
    return { id, index, name: dataset.classes[index]?.name ?? '' };
  });
  const words =
    image.labels === null
      ? t('datasets.images.unlabelled')
      : shown.length === 0
        ? t('datasets.images.nothingShown')
        : shown.map(({ name }) => name).join(', ');
  return (
    <div className={classes['tile']} data-selected={isSelected || undefined}>
      {onSelect && (
        <div className={classes['check']}>
          <Checkbox
            aria-label={t('datasets.images.select', { name: image.file_name })}
            checked={isSelected}
            onChange={onSelect}
          />
        </div>
      )}
      <div className={classes['image']}>
        <Thumbnail src={datasetImageAddress(dataset.id, image.id, 320)} alt="" />
      </div>
      <div style={{ padding: '4px 8px' }}>
        <Text
          component={Link}
          to={`/datasets/${dataset.id}/label?image=${image.id}`}
          className={classes['link'] ?? ''}
          size="xs"
          c="var(--mantine-color-text)"
          truncate="end"
          display="block"
          title={image.file_name}
        >
          <bdi>{image.file_name}</bdi>
        </Text>
        <Group gap={4} wrap="nowrap">
          {shown.slice(0, 5).map(({ id, index }) => (
            <ClassDot key={id} index={index} />
          ))}
          <Text size="xs" c="dimmed" truncate="end" title={words}>
            <bdi>{words}</bdi>
          </Text>
        </Group>
      </div>
    </div>
  );
}
