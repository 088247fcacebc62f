import type { CountedDataset, DatasetImage } from '@lynceus/client';
import { useElementSize } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './image-grid.module.css';
import { ImageTile } from './image-tile.js';
import { chooseTo, type Selection, toggle } from './selection.js';

const leastTileWidth = 150;
const gap = 10;
/** Below the image: its name and labels. */
const captionHeight = 46;

/** Images as a grid of which only what is near the window is there. */
export function ImageGrid({
  dataset,
  images,
  selection,
  onSelect,
}: {
  dataset: CountedDataset;
  images: readonly DatasetImage[];
  selection: Selection;
  /** Null: images cannot be selected. */
  onSelect: ((selection: Selection) => void) | null;
}) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const columns = Math.max(2, Math.floor((width + gap) / (leastTileWidth + gap)));
  const tileWidth = Math.max(1, (width - gap * (columns - 1)) / columns);
  const rowHeight = Math.round(tileWidth * 0.75) + captionHeight + gap;
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(images.length / columns),
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
            images.map((image) => image.id),
          )
        : toggle(selection, id),
    );
  return (
    <ul
      ref={ref}
      aria-label={t('datasets.images.list')}
      className={classes['grid']}
      style={{ height: rows.getTotalSize() }}
    >
      {rows.getVirtualItems().map((row) =>
        images.slice(row.index * columns, (row.index + 1) * columns).map((image, column) => (
          <li
            key={image.id}
            className={classes['cell']}
            style={{
              width: tileWidth,
              height: rowHeight - gap,
              transform: `translate(${column * (tileWidth + gap)}px, ${row.start}px)`,
            }}
          >
            <ImageTile
              dataset={dataset}
              image={image}
              indexOfClass={indexOfClass}
              isChosen={selection.ids.has(image.id)}
              onChoose={onSelect && choose}
            />
          </li>
        )),
      )}
    </ul>
  );
}
