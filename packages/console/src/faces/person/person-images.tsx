import type { FaceImage, Person } from '@lynceus/client';
import { Checkbox, Text, UnstyledButton } from '@mantine/core';
import { mdiAlertCircle, mdiCheckCircle } from '@mdi/js';
import { type ChangeEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataList } from '../../kit/data-list.js';
import { Icon } from '../../kit/icon.js';
import { usePages } from '../../kit/more.js';
import { useSelection } from '../../kit/selection.js';
import { VirtualGrid } from '../../kit/virtual-grid.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { FaceThumbnail } from '../face-thumbnail.js';

import { ImageDetails } from './image-details.js';
import styles from './person-images.module.css';
import { SelectedImages } from './selected-images.js';

/** Height of the line below the face. */
const imageCardBelowPx = 30;

const pageSize = 100;

/** A person's images: view, select, move and delete. */
export function PersonImages({ person }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const selection = useSelection();
  const [open, setOpen] = useState<FaceImage | null>(null);
  const list = usePages(['faces', 'images', person.id], (cursor, signal) =>
    client.faceImages.page({ personId: person.id }, { limit: pageSize, cursor, signal }),
  );
  return (
    <DataList list={list} empty={<Text c="dimmed">{t('person.noImages')}</Text>}>
      {(images) => (
        <>
          {mayChange && (
            <SelectedImages
              person={person}
              // Images that were deleted or moved meanwhile are no longer selected.
              selected={images.map(({ id }) => id).filter((id) => selection.ids.has(id))}
              onAll={() => selection.selectAll(images)}
              onNone={selection.clear}
            />
          )}
          <VirtualGrid
            label={t('person.imagesOf', { name: person.name })}
            items={images}
            minCellPx={148}
            belowPx={imageCardBelowPx}
            keyOf={({ id }) => id}
          >
            {(image) => (
              <ImageCard
                image={image}
                isSelected={selection.ids.has(image.id)}
                onOpen={() => setOpen(image)}
                onSelect={mayChange ? (event) => selection.toggle(image.id, event, images) : null}
              />
            )}
          </VirtualGrid>
          {open && <ImageDetails image={open} onClose={() => setOpen(null)} />}
        </>
      )}
    </DataList>
  );
}

function ImageCard({
  image,
  isSelected,
  onOpen,
  onSelect,
}: {
  image: FaceImage;
  isSelected: boolean;
  onOpen: () => void;
  /** Null for readers. */
  onSelect: ((event: ChangeEvent) => void) | null;
}) {
  const { t } = useTranslation();
  const worst = image.quality.problems[0];
  const quality = worst ? t(`faces.problem.${worst}`) : t('person.good');
  return (
    <div className={styles['card']} data-selected={isSelected}>
      <UnstyledButton
        className={styles['open']}
        onClick={onOpen}
        aria-label={t('person.openImage', { id: image.id, quality })}
      >
        <FaceThumbnail imageId={image.id} width={320} />
      </UnstyledButton>
      {onSelect && (
        <Checkbox
          className={styles['select'] ?? ''}
          checked={isSelected}
          onChange={onSelect}
          aria-label={t('person.selectImage', { id: image.id })}
        />
      )}
      <div className={styles['quality']} data-good={!worst} aria-hidden="true">
        <Icon path={worst ? mdiAlertCircle : mdiCheckCircle} size={16} />
        <Text size="xs" truncate>
          {quality}
        </Text>
      </div>
    </div>
  );
}
