import type { DropFileState } from '@lynceus/client';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** The states by which the list can be filtered. */
export const shownStates = ['receiving', 'partial', 'held', 'waiting', 'done', 'failed'] as const;
export type ShownState = (typeof shownStates)[number];

const colours: Readonly<Record<DropFileState, string>> = {
  receiving: 'blue',
  partial: 'orange',
  held: 'gray',
  arrived: 'blue',
  predicted: 'blue',
  written: 'blue',
  done: 'lynx',
  failed: 'red',
};

export function FileState({ state }: { state: DropFileState }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={colours[state]}>
      {t(`dropFiles.state.${state}`)}
    </Badge>
  );
}

/** Whether the whole file is there, so that its image can be shown. */
export function hasImage(state: DropFileState): boolean {
  return state !== 'receiving' && state !== 'partial' && state !== 'held';
}
