import { useElementSize } from '@mantine/hooks';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import styles from './virtual-grid.module.css';

/** Rows rendered above and below the visible ones, so that neither scrolling nor the Tab key reaches a gap. */
const overscanRows = 4;
const gapPx = 12;

/** Any number of equal cells; only those near the window are in the page. */
export function VirtualGrid<Item>({
  label,
  items,
  minCellPx,
  ratio = 1,
  belowPx,
  keyOf,
  children,
}: {
  /** The name of the list for screen readers. */
  label: string;
  items: readonly Item[];
  /** The smallest width of a cell. */
  minCellPx: number;
  /** Height of the image in a cell, as a multiple of its width. */
  ratio?: number;
  /** Height of what a cell has below its image. */
  belowPx: number;
  keyOf: (item: Item) => number | string;
  children: (item: Item) => ReactNode;
}) {
  const { ref, width } = useElementSize();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [topPx, setTopPx] = useState(0);
  useLayoutEffect(() => {
    if (element && width > 0) setTopPx(element.getBoundingClientRect().top + window.scrollY);
  }, [element, width]);
  const columns = Math.max(1, Math.floor((width + gapPx) / (minCellPx + gapPx)));
  const cellPx = (width - (columns - 1) * gapPx) / columns;
  const rowPx = Math.round(cellPx * ratio) + belowPx;
  const rows = useWindowVirtualizer({
    count: width > 0 ? Math.ceil(items.length / columns) : 0,
    estimateSize: () => rowPx,
    gap: gapPx,
    overscan: overscanRows,
    scrollMargin: topPx,
  });
  useLayoutEffect(() => {
    if (rowPx > 0) rows.measure();
  }, [rows, rowPx]);
  const setRefs = (node: HTMLElement | null) => {
    ref(node);
    setElement(node);
  };
  return (
    <ul ref={setRefs} className={styles['grid']} aria-label={label} style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().flatMap(({ index, start }) =>
        items.slice(index * columns, (index + 1) * columns).map((item, column) => (
          <li
            key={keyOf(item)}
            className={styles['cell']}
            aria-posinset={index * columns + column + 1}
            aria-setsize={items.length}
            style={{
              width: cellPx,
              height: rowPx,
              transform: `translate(${column * (cellPx + gapPx)}px, ${start - topPx}px)`,
            }}
          >
            {children(item)}
          </li>
        )),
      )}
    </ul>
  );
}
