import type { CountedDataset } from '@lynceus/client';
import { Button } from '@mantine/core';
import { mdiImagePlus, mdiImageSearch } from '@mdi/js';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Empty } from '../../kit/empty.js';
import { More } from '../../kit/more.js';
import { useSelection } from '../../kit/selection.js';
import { VirtualGrid } from '../../kit/virtual-grid.js';
import { useMayChange } from '../../service/current-session.js';
import { useImages } from '../queries.js';
import { ImageFilters, useImageFilter } from './image-filters.js';
import { ImageTile } from './image-tile.js';
import { SelectedImages } from './selected-images.js';

/** Height of the name and the labels below an image. */
const captionPx = 46;

/** The images of a dataset: filters, a grid, and actions on the selected ones. */
export function ImagesPanel({ dataset, onAdd }: { dataset: CountedDataset; onAdd: () => void }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const filters = useImageFilter();
  const list = useImages(dataset.id, filters.filter);
  const selection = useSelection();
  const indexOfClass = useMemo(
    () => new Map(dataset.classes.map(({ id }, index) => [id, index])),
    [dataset.classes],
  );
  if (dataset.images === 0) {
    return (
      <Empty
        icon={mdiImagePlus}
        title={t('datasets.images.emptyTitle')}
        text={t('datasets.images.emptyText')}
      >
        {mayChange && <Button onClick={onAdd}>{t('datasets.add')}</Button>}
      </Empty>
    );
  }
  return (
    <>
      <ImageFilters dataset={dataset} filters={filters} />
      <Answered query={list}>
        {(images) =>
          images.length === 0 ? (
            <Empty
              icon={mdiImageSearch}
              title={t('datasets.images.noneTitle')}
              text={t('datasets.images.noneText')}
            >
              <Button variant="default" onClick={filters.clear}>
                {t('datasets.images.clear')}
              </Button>
            </Empty>
          ) : (
            <>
              {mayChange && (
                <SelectedImages
                  datasetId={dataset.id}
                  ids={selection.ids}
                  onAll={() => selection.selectAll(images)}
                  onNone={selection.clear}
                />
              )}
              <VirtualGrid
                label={t('datasets.images.list')}
                items={images}
                minCellPx={150}
                ratio={0.75}
                belowPx={captionPx}
                keyOf={({ id }) => id}
              >
                {(image) => (
                  <ImageTile
                    dataset={dataset}
                    image={image}
                    indexOfClass={indexOfClass}
                    isSelected={selection.ids.has(image.id)}
                    onSelect={mayChange ? (event) => selection.toggle(image.id, event, images) : null}
                  />
                )}
              </VirtualGrid>
              <More list={list} />
            </>
          )
        }
      </Answered>
    </>
  );
}
