import { Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './list-table.module.css';

export interface Column<Item> {
  readonly name: string;
  readonly cell: (item: Item) => ReactNode;
  /** In pixels. Columns without a width share the rest. */
  readonly width?: number;
  /** Aligned to the end: for numbers and actions. */
  readonly isAtEnd?: boolean;
  /** Its name is only for screen readers. */
  readonly isSpokenAlone?: boolean;
}

/** A list as a table, or as cards on narrow screens. The first column names the item. */
export function ListTable<Item>({
  columns,
  items,
  keyOf,
  onOpen,
}: {
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /** Called for a click anywhere in a row; for the keyboard the row has a button. */
  onOpen?: (item: Item) => void;
}) {
  // Explicit roles: with another `display`, browsers no longer report a table.
  return (
    <div className={styles['frame']}>
      <Table
        className={styles['table'] ?? ''}
        role="table"
        layout="fixed"
        verticalSpacing="sm"
        highlightOnHover={onOpen !== undefined}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ name, width, isAtEnd, isSpokenAlone }) => (
              <Table.Th
                key={name}
                role="columnheader"
                {...(width === undefined ? {} : { w: width })}
                {...(isAtEnd ? { ta: 'end' as const } : {})}
              >
                {isSpokenAlone ? <VisuallyHidden>{name}</VisuallyHidden> : name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {items.map((item) => (
            <Table.Tr
              key={keyOf(item)}
              role="row"
              {...(onOpen ? { onClick: () => onOpen(item), style: { cursor: 'pointer' } } : {})}
            >
              {columns.map(({ name, cell, isAtEnd, isSpokenAlone }, index) => (
                <Table.Td
                  key={name}
                  role="cell"
                  {...(isAtEnd ? { ta: 'end' as const } : {})}
                  {...(index === 0 || isSpokenAlone ? {} : { 'data-column': name })}
                >
                  <div className={styles['value']}>{cell(item)}</div>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
