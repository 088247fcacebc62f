import type { CountedDataset } from '@lynceus/client';
import { Button } from '@mantine/core';
import { mdiImagePlus, mdiImageSearch } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { Empty } from '../../kit/empty.js';
import { More } from '../../kit/more.js';
import { useMayChange } from '../../service/current-session.js';
import { usePictures } from '../queries.js';
import { PictureFilters } from './picture-filters.js';
import { PictureGrid } from './picture-grid.js';
import { nothingChosen } from './selection.js';
import { SelectionBar } from './selection-bar.js';
import { usePictureFilter } from './use-picture-filter.js';

export function PicturesPanel({ dataset, onAdd }: { dataset: CountedDataset; onAdd: () => void }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const narrowing = usePictureFilter();
  const list = usePictures(dataset.id, narrowing.filter);
  const [selection, setSelection] = useState(nothingChosen);
  if (dataset.pictures === 0) {
    return (
      <Empty
        icon={mdiImagePlus}
        title={t('datasets.pictures.emptyTitle')}
        text={t('datasets.pictures.emptyText')}
      >
        {mayChange && <Button onClick={onAdd}>{t('datasets.add')}</Button>}
      </Empty>
    );
  }
  return (
    <>
      <PictureFilters dataset={dataset} narrowing={narrowing} />
      <Answered query={list}>
        {(pictures) =>
          pictures.length === 0 ? (
            <Empty
              icon={mdiImageSearch}
              title={t('datasets.pictures.noneTitle')}
              text={t('datasets.pictures.noneText')}
            >
              <Button variant="default" onClick={narrowing.clear}>
                {t('datasets.pictures.clear')}
              </Button>
            </Empty>
          ) : (
            <>
              {mayChange && (
                <SelectionBar
                  dataset={dataset}
                  pictures={pictures}
                  selection={selection}
                  onSelect={setSelection}
                />
              )}
              <PictureGrid
                dataset={dataset}
                pictures={pictures}
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
