import type { FaceImage, Person } from '@lynceus/client';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { More } from '../../kit/more.js';
import { usePages } from '../../kit/use-pages.js';
import { VirtualGrid } from '../../kit/virtual-grid.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { ChosenImages } from './chosen-images.js';
import { ImageCard, imageCardBelowPx } from './image-card.js';
import { ImageDetails } from './image-details.js';

const pageSize = 100;

/** A person's images: looked at, chosen, moved and deleted. */
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
