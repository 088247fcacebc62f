import type { CountedDataset, DatasetPicture } from '@lynceus/client';
import { Checkbox, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Thumbnail } from '../../kit/thumbnail.js';
import { ClassDot } from '../classes/class-dot.js';
import { pictureAddress } from '../picture-address.js';
import classes from './picture-grid.module.css';

/** A picture in the grid: it leads to where it is labelled. */
export function PictureTile({
  dataset,
  picture,
  indexOfClass,
  isChosen,
  onChoose,
}: {
  dataset: CountedDataset;
  picture: DatasetPicture;
  /** By the class's id. */
  indexOfClass: ReadonlyMap<number, number>;
  isChosen: boolean;
  onChoose: ((id: number, isRange: boolean) => void) | null;
}) {
  const { t } = useTranslation();
  const shown = [...new Set(picture.labels?.map(({ class_id }) => class_id) ?? [])].map((id) => {
    const index = indexOfClass.get(id) ?? -1;
    return { id, index, name: dataset.classes[index]?.name ?? '' };
  });
  const words =
    picture.labels === null
      ? t('datasets.pictures.unlabelled')
      : shown.length === 0
        ? t('datasets.pictures.nothingShown')
        : shown.map(({ name }) => name).join(', ');
  return (
    <div className={classes['tile']} data-chosen={isChosen || undefined}>
      {onChoose && (
        <div className={classes['check']}>
          <Checkbox
            aria-label={t('datasets.pictures.choose', { name: picture.file_name })}
            checked={isChosen}
            onChange={(event) => {
              const { nativeEvent } = event;
              onChoose(picture.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
            }}
          />
        </div>
      )}
      <div className={classes['picture']}>
        <Thumbnail src={pictureAddress(dataset.id, picture.id, 320)} alt="" />
      </div>
      <div style={{ padding: '4px 8px' }}>
        <Text
          component={Link}
          to={`/datasets/${dataset.id}/label?picture=${picture.id}`}
          className={classes['link'] ?? ''}
          size="xs"
          c="var(--mantine-color-text)"
          truncate="end"
          display="block"
          title={picture.file_name}
        >
          <bdi>{picture.file_name}</bdi>
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
