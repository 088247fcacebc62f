import { Button, Group, Text } from '@mantine/core';
import { mdiSelectAll, mdiSelectOff } from '@mdi/js';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.js';
import { useFormat } from './use-format.js';

/** Selected ids, and the one that was touched last: a range is selected from there. */
export interface Selection {
  readonly ids: ReadonlySet<number>;
  readonly anchor: number | null;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

export function toggle(selection: Selection, id: number): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id };
}

/** Selects all from the one touched last to this one, in the order in which they are shown. */
export function selectTo(selection: Selection, id: number, shown: readonly number[]): Selection {
  const from = selection.anchor === null ? -1 : shown.indexOf(selection.anchor);
  const to = shown.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id);
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), anchor: id };
}

type Item = { readonly id: number };

const idsOf = (items: readonly Item[]) => items.map(({ id }) => id);

/** The selection of a list. With the Shift key `toggle` selects a range. */
export function useSelection() {
  const [selection, setSelection] = useState(nothingSelected);
  return {
    ids: selection.ids,
    toggle: (id: number, { nativeEvent }: { readonly nativeEvent: Event }, shown: readonly Item[]) => {
      const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
      setSelection(isRange ? selectTo(selection, id, idsOf(shown)) : toggle(selection, id));
    },
    selectAll: (shown: readonly Item[]) => setSelection({ ids: new Set(idsOf(shown)), anchor: null }),
    clear: () => setSelection(nothingSelected),
  };
}

/** Buttons above a list to select all of it or nothing; `children` are the actions on what is selected. */
export function SelectionBar({
  count,
  hint,
  onAll,
  onNone,
  children,
}: {
  /** Of what is selected. */
  count: number;
  /** Shown while nothing is selected. */
  hint?: string;
  onAll: () => void;
  onNone: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <Group gap="xs" mb="sm" mih={30}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon path={mdiSelectAll} size={16} />}
        onClick={onAll}
      >
        {t('kit.select.all')}
      </Button>
      {count > 0 && (
        <>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon path={mdiSelectOff} size={16} />}
            onClick={onNone}
          >
            {t('kit.select.none')}
          </Button>
          {children}
        </>
      )}
      <Text size="sm" c="dimmed" role="status">
        {count > 0 ? t('kit.select.count', { number: number(count) }) : hint}
      </Text>
    </Group>
  );
}
