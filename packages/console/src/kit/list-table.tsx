import { Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './list-table.module.css';

export interface Column<Item> {
  readonly name: string;
  readonly cell: (item: Item) => ReactNode;
  /** In pixels; columns without one share what is left. */
  readonly width?: number;
  /** Numbers, and what can be done, stand at the end. */
  readonly isAtEnd?: boolean;
  /** Its name need not be seen: what stands in it says what it is. */
  readonly isSpokenAlone?: boolean;
}

/** A list as a table, and as cards where there is no room for one. The first column names what its row is about. */
export function ListTable<Item>({
  columns,
  items,
  keyOf,
  onOpen,
}: {
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /** By the mouse, anywhere in its row; the keyboard has a button in it. */
  onOpen?: (item: Item) => void;
}) {
  // The roles are said, for what is laid out otherwise counts as no table any more.
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
