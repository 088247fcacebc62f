import type { CountedDataset } from '@lynceus/client';
import { Button } from '@mantine/core';
import { mdiImagePlus, mdiImageSearch } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Empty } from '../../kit/empty.js';
import { More } from '../../kit/more.js';
import { useMayChange } from '../../service/current-session.js';
import { useImages } from '../queries.js';
import { ImageFilters, useImageFilter } from './image-filters.js';
import { ImageGrid } from './image-grid.js';
import { nothingChosen } from './selection.js';
import { SelectionBar } from './selection-bar.js';

export function ImagesPanel({ dataset, onAdd }: { dataset: CountedDataset; onAdd: () => void }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const narrowing = useImageFilter();
  const list = useImages(dataset.id, narrowing.filter);
  const [selection, setSelection] = useState(nothingChosen);
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
      <ImageFilters dataset={dataset} narrowing={narrowing} />
      <Answered query={list}>
        {(images) =>
          images.length === 0 ? (
            <Empty
              icon={mdiImageSearch}
              title={t('datasets.images.noneTitle')}
              text={t('datasets.images.noneText')}
            >
              <Button variant="default" onClick={narrowing.clear}>
                {t('datasets.images.clear')}
              </Button>
            </Empty>
          ) : (
            <>
              {mayChange && (
                <SelectionBar
                  dataset={dataset}
                  images={images}
                  selection={selection}
                  onSelect={setSelection}
                />
              )}
              <ImageGrid
                dataset={dataset}
                images={images}
                selection={selection}
                onSelect={mayChange ? setSelection : null}
              />
              <More list={list} />
            </>
          )
        }
      </Answered>
    </>
  );
}
