import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import {
  mdiCheck,
  mdiEyeOff,
  mdiRedo,
  mdiRefresh,
  mdiUndo,
  mdiVectorPointMinus,
  mdiVectorPolygon,
} from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import {
  beginDrawing,
  cancelDrawing,
  canFinish,
  canRemoveCorner,
  mayAdd,
  redoStep,
  removeCornerAt,
  undoStep,
} from './editor.js';
import type { ZoneEditor } from './use-zone-editor.js';

/** The tools of the stage. */
export function ZoneToolbar({
  zones: { editor, edit, finish },
  onNewFrame,
  isLoading,
  mayChange,
}: {
  zones: ZoneEditor;
  onNewFrame: () => void;
  isLoading: boolean;
  mayChange: boolean;
}) {
  const { t } = useTranslation();
  const { history, drawing } = editor;
  const begin = (kind: 'zone' | 'mask') =>
    edit((now) => beginDrawing(now, kind), t('zones.howToDraw'), 'stage');
  return (
    <Group gap={6} role="toolbar" aria-label={t('zones.tools')}>
      {mayChange &&
        (drawing ? (
          <>
            <Button
              size="xs"
              leftSection={<Icon path={mdiCheck} size={16} />}
              disabled={!canFinish(editor)}
              onClick={finish}
            >
              {t('zones.finish')}
            </Button>
            <Button size="xs" variant="default" onClick={() => edit(cancelDrawing)}>
              {t('zones.cancel')}
            </Button>
          </>
        ) : (
          <>
            <Button
              size="xs"
              variant="light"
              leftSection={<Icon path={mdiVectorPolygon} size={16} />}
              disabled={!mayAdd(editor, 'zone')}
              onClick={() => begin('zone')}
            >
              {t('zones.drawZone')}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon path={mdiEyeOff} size={16} />}
              disabled={!mayAdd(editor, 'mask')}
              onClick={() => begin('mask')}
            >
              {t('zones.drawMask')}
            </Button>
          </>
        ))}
      {mayChange && (
        <>
          <Tool
            icon={mdiUndo}
            label={t('zones.undo')}
            isDisabled={drawing ? drawing.corners.length === 0 : history.past.length === 0}
            onClick={() => edit(undoStep, t('zones.undo'))}
          />
          <Tool
            icon={mdiRedo}
            label={t('zones.redo')}
            isDisabled={drawing !== null || history.future.length === 0}
            onClick={() => edit(redoStep, t('zones.redo'))}
          />
          <Tool
            icon={mdiVectorPointMinus}
            label={t('zones.removeCorner')}
            isDisabled={!canRemoveCorner(editor)}
            onClick={() =>
              edit(
                (now) => (now.corner === null ? now : removeCornerAt(now, now.corner)),
                t('zones.cornerRemoved'),
              )
            }
          />
        </>
      )}
      <Tool icon={mdiRefresh} label={t('zones.newFrame')} isLoading={isLoading} onClick={onNewFrame} />
    </Group>
  );
}

function Tool({
  icon,
  label,
  isDisabled = false,
  isLoading = false,
  onClick,
}: {
  icon: string;
  label: string;
  isDisabled?: boolean;
  isLoading?: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        disabled={isDisabled}
        loading={isLoading}
        onClick={onClick}
      >
        <Icon path={icon} size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
