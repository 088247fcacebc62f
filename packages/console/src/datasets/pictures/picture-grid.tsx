import type { CountedDataset, DatasetPicture } from '@lynceus/client';
import { useElementSize } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './picture-grid.module.css';
import { PictureTile } from './picture-tile.js';
import { chooseTo, type Selection, toggle } from './selection.js';

const leastTileWidth = 150;
const gap = 10;
/** Below the picture: its name and what it shows. */
const captionHeight = 46;

/** Pictures as a grid of which only what is near the window is there. */
export function PictureGrid({
  dataset,
  pictures,
  selection,
  onSelect,
}: {
  dataset: CountedDataset;
  pictures: readonly DatasetPicture[];
  selection: Selection;
  /** Null: nothing can be chosen. */
  onSelect: ((selection: Selection) => void) | null;
}) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const columns = Math.max(2, Math.floor((width + gap) / (leastTileWidth + gap)));
  const tileWidth = Math.max(1, (width - gap * (columns - 1)) / columns);
  const rowHeight = Math.round(tileWidth * 0.75) + captionHeight + gap;
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(pictures.length / columns),
    estimateSize: () => rowHeight,
    overscan: 3,
    // Its rows are of one height, which follows the width of the window.
    getItemKey: (index) => `${index} of ${rowHeight}`,
  });
  const indexOfClass = useMemo(
    () => new Map(dataset.classes.map(({ id }, index) => [id, index])),
    [dataset.classes],
  );
  const choose = (id: number, isRange: boolean) =>
    onSelect?.(
      isRange
        ? chooseTo(
            selection,
            id,
            pictures.map((picture) => picture.id),
          )
        : toggle(selection, id),
    );
  return (
    <ul
      ref={ref}
      aria-label={t('datasets.pictures.list')}
      className={classes['grid']}
      style={{ height: rows.getTotalSize() }}
    >
      {rows.getVirtualItems().map((row) =>
        pictures.slice(row.index * columns, (row.index + 1) * columns).map((picture, column) => (
          <li
            key={picture.id}
            className={classes['cell']}
            style={{
              width: tileWidth,
              height: rowHeight - gap,
              transform: `translate(${column * (tileWidth + gap)}px, ${row.start}px)`,
            }}
          >
            <PictureTile
              dataset={dataset}
              picture={picture}
              indexOfClass={indexOfClass}
              isChosen={selection.ids.has(picture.id)}
              onChoose={onSelect && choose}
            />
          </li>
        )),
      )}
    </ul>
  );
}
