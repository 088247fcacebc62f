import { ActionIcon, Box, Group, Tooltip } from '@mantine/core';
import {
  mdiCursorMove,
  mdiDelete,
  mdiFitToPageOutline,
  mdiMagnifyMinusOutline,
  mdiMagnifyPlusOutline,
  mdiRedo,
  mdiUndo,
  mdiVectorSquare,
  mdiVectorSquarePlus,
} from '@mdi/js';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { History } from '../../kit/history.js';
import { Icon } from '../../kit/icon.js';
import type { Draft } from '../drafts/draft.js';
import type { LabelCommands } from '../use-label-commands.js';
import { KeyHelp } from './key-help.js';

/** The tools of the stage. */
export function Toolbar({
  commands,
  history,
  hasBoxes,
  isDrawing,
  onDrawing,
  mayChange,
}: {
  commands: LabelCommands;
  history: History<Draft>;
  hasBoxes: boolean;
  isDrawing: boolean;
  onDrawing: (isDrawing: boolean) => void;
  mayChange: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Group gap={6} mb={6} role="toolbar" aria-label={t('labelling.tools')}>
      {mayChange && hasBoxes && (
        <ActionIcon.Group>
          <Tool
            icon={mdiVectorSquare}
            label={t('labelling.draw')}
            isOn={isDrawing}
            onClick={() => onDrawing(true)}
          />
          <Tool
            icon={mdiCursorMove}
            label={t('labelling.pan')}
            isOn={!isDrawing}
            onClick={() => onDrawing(false)}
          />
        </ActionIcon.Group>
      )}
      {mayChange && (
        <>
          <Tool
            icon={mdiUndo}
            label={t('labelling.undo')}
            isDisabled={history.past.length === 0}
            onClick={() => commands.run({ kind: 'undo' })}
          />
          <Tool
            icon={mdiRedo}
            label={t('labelling.redo')}
            isDisabled={history.future.length === 0}
            onClick={() => commands.run({ kind: 'redo' })}
          />
        </>
      )}
      {mayChange && hasBoxes && (
        <>
          <Tool
            icon={mdiVectorSquarePlus}
            label={t('labelling.addBox')}
            onClick={() => commands.run({ kind: 'add-box' })}
          />
          <Tool
            icon={mdiDelete}
            label={t('labelling.deleteChosen')}
            isDisabled={commands.chosen === null}
            onClick={() => commands.run({ kind: 'delete' })}
          />
        </>
      )}
      <Tool
        icon={mdiMagnifyMinusOutline}
        label={t('labelling.zoomOut')}
        onClick={() => commands.run({ kind: 'zoom-out' })}
      />
      <Tool
        icon={mdiFitToPageOutline}
        label={t('labelling.fit')}
        onClick={() => commands.run({ kind: 'fit' })}
      />
      <Tool
        icon={mdiMagnifyPlusOutline}
        label={t('labelling.zoomIn')}
        onClick={() => commands.run({ kind: 'zoom-in' })}
      />
      <Box visibleFrom="xs">
        <KeyHelp hasKeys={commands.hasKeys} onKeys={commands.setHasKeys} />
      </Box>
    </Group>
  );
}

function Tool({
  icon,
  label,
  isOn,
  isDisabled = false,
  onClick,
}: {
  icon: string;
  label: string;
  isOn?: boolean;
  isDisabled?: boolean;
  onClick: () => void;
}): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isOn ? 'filled' : 'default'}
        size={36}
        aria-label={label}
        aria-pressed={isOn}
        disabled={isDisabled}
        onClick={onClick}
      >
        <Icon path={icon} />
      </ActionIcon>
    </Tooltip>
  );
}
