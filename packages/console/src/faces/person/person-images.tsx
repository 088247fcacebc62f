import type { FaceImage, Person } from '@lynceus/client';
import { Checkbox, Text, UnstyledButton } from '@mantine/core';
import { mdiAlertCircle, mdiCheckCircle } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Icon } from '../../kit/icon.js';
import { More, usePages } from '../../kit/more.js';
import { VirtualGrid } from '../../kit/virtual-grid.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import { ChosenImages } from './chosen-images.js';
import { ImageDetails } from './image-details.js';
import styles from './person-images.module.css';

/** Height of the line beneath the face. */
const imageCardBelowPx = 30;

const pageSize = 100;

/** A person's images: view, select, move and delete. */
export function PersonImages({ person }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [open, setOpen] = useState<FaceImage | null>(null);
  const list = usePages(['faces', 'images', person.id], (cursor, signal) =>
    client.faceImages.page({ personId: person.id }, { limit: pageSize, cursor, signal }),
  );
  const toggle = (id: number) =>
    setChosen(
      (before) => new Set([...before].filter((one) => one !== id).concat(before.has(id) ? [] : [id])),
    );
  return (
    <Answered query={list}>
      {(images) =>
        images.length === 0 ? (
          <Text c="dimmed">{t('person.noImages')}</Text>
        ) : (
          <>
            {mayChange && (
              <ChosenImages
                person={person}
                // What was deleted or moved meanwhile is chosen no more.
                chosen={images.filter(({ id }) => chosen.has(id)).map(({ id }) => id)}
                onAll={() => setChosen(new Set(images.map(({ id }) => id)))}
                onNone={() => setChosen(new Set())}
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
                  isChosen={chosen.has(image.id)}
                  onOpen={() => setOpen(image)}
                  onChoose={mayChange ? () => toggle(image.id) : null}
                />
              )}
            </VirtualGrid>
            <More list={list} />
            {open && <ImageDetails image={open} onClose={() => setOpen(null)} />}
          </>
        )
      }
    </Answered>
  );
}

function ImageCard({
  image,
  isChosen,
  onOpen,
  onChoose,
}: {
  image: FaceImage;
  isChosen: boolean;
  onOpen: () => void;
  /** Null for readers. */
  onChoose: (() => void) | null;
}) {
  const { t } = useTranslation();
  const worst = image.quality.problems[0];
  const quality = worst ? t(`faces.problem.${worst}`) : t('person.good');
  return (
    <div className={styles['card']} data-chosen={isChosen}>
      <UnstyledButton
        className={styles['open']}
        onClick={onOpen}
        aria-label={t('person.openImage', { id: image.id, quality })}
      >
        <FaceThumbnail imageId={image.id} width={320} />
      </UnstyledButton>
      {onChoose && (
        <Checkbox
          className={styles['choose'] ?? ''}
          checked={isChosen}
          onChange={onChoose}
          aria-label={t('person.chooseImage', { id: image.id })}
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
