import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';
import {
  addCornerAfter,
  cancelDrawing,
  changeShape,
  chooseShape,
  moveCursor,
  redoStep,
  removeCornerAt,
  removeShape,
  setCorner,
  takeCornerBack,
  undoStep,
} from './editor.js';
import {
  type Corner,
  maxCorners,
  minCorners,
  moveCorner,
  movePolygon,
  type Polygon,
  withinImage,
} from './polygon.js';
import type { Shape } from './shapes.js';
import type { ZoneEditor } from './use-zone-editor.js';

/** A press of an arrow key, in fractions of the image; with Shift. */
const shortStep = 0.005;
const longStep = 0.05;

const arrows: Readonly<Record<string, Corner>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Draws and changes shapes by the keyboard. */
export function useStageKeys({ editor, edit, finish }: ZoneEditor) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const placeOf = ([x, y]: Corner) => ({ x: percent(x), y: percent(y) });

  const onDrawingKey = (event: KeyboardEvent) => {
    const { drawing } = editor;
    if (!drawing) return;
    const by = stepOf(event);
    const { cursor, corners } = drawing;
    if (by) {
      event.preventDefault();
      const next = withinImage([cursor[0] + by[0], cursor[1] + by[1]]);
      edit((now) => moveCursor(now, next), t('zones.cursor', placeOf(next)));
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      const [first, last] = [corners[0], corners.at(-1)];
      const isAgain = [first, last].some((corner) => corner?.join() === cursor.join());
      if (isAgain && corners.length >= minCorners) finish();
      else edit(setCorner, t('zones.cornerSet', { number: corners.length + 1 }));
    } else if (isRemoval(event)) {
      event.preventDefault();
      edit(takeCornerBack, t('zones.cornerRemoved'));
    } else if (event.key === 'Escape') {
      event.preventDefault();
      edit(cancelDrawing);
    }
  };

  return {
    /** For the stage: the shape that is drawn, and undo. */
    onStageKey: (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((event.ctrlKey || event.metaKey) && (key === 'z' || key === 'y')) {
        event.preventDefault();
        const isRedo = key === 'y' || event.shiftKey;
        return edit(isRedo ? redoStep : undoStep, t(isRedo ? 'zones.redo' : 'zones.undo'), 'stage-if-lost');
      }
      onDrawingKey(event);
    },

    onShapeKey: (event: KeyboardEvent, shape: Shape) => {
      const by = stepOf(event);
      if (by) {
        event.preventDefault();
        const polygon = movePolygon(shape.polygon, by);
        edit((now) => changeShape(now, shape.key, { polygon }, `keys ${shape.key}`), t('zones.shapeMoved'));
      } else if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        edit((now) => chooseShape(now, shape.key, 0), '', 'corner-0');
      } else if (isRemoval(event)) {
        event.preventDefault();
        edit((now) => removeShape(now, shape.key), t('zones.removeShape'), 'stage');
      } else return;
      event.stopPropagation();
    },

    onCornerKey: (event: KeyboardEvent, shape: Shape, index: number) => {
      const by = stepOf(event);
      const [x, y] = shape.polygon[index] ?? [0, 0];
      if (by) {
        event.preventDefault();
        const next = withinImage([x + by[0], y + by[1]]);
        edit(
          (now) => moveShapeCorner(now, shape, index, next),
          t('zones.corner', { ...placeOf(next), number: index + 1, count: shape.polygon.length }),
        );
      } else if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        if (shape.polygon.length >= maxCorners) edit((now) => now, t('zones.tooMany', { count: maxCorners }));
        else edit((now) => addCornerAfter(now, index), t('zones.cornerAdded'), `corner-${index + 1}`);
      } else if (isRemoval(event)) {
        event.preventDefault();
        if (shape.polygon.length <= minCorners) edit((now) => now, t('zones.tooFew'));
        else {
          const before = index === 0 ? shape.polygon.length - 2 : index - 1;
          edit((now) => removeCornerAt(now, index), t('zones.cornerRemoved'), `corner-${before}`);
        }
      } else if (event.key === 'Escape') {
        event.preventDefault();
        edit((now) => chooseShape(now, shape.key), '', `shape-${shape.key}`);
      } else return;
      event.stopPropagation();
    },
  };
}

export type StageKeys = ReturnType<typeof useStageKeys>;

function moveShapeCorner(
  editor: ZoneEditor['editor'],
  { key }: Shape,
  index: number,
  to: Corner,
): ZoneEditor['editor'] {
  const polygon: Polygon | undefined = editor.history.present.find((shape) => shape.key === key)?.polygon;
  if (!polygon) return editor;
  return changeShape(editor, key, { polygon: moveCorner(polygon, index, to) }, `keys ${key} ${index}`);
}

function stepOf({ key, shiftKey }: KeyboardEvent): Corner | null {
  const arrow = arrows[key];
  if (!arrow) return null;
  const length = shiftKey ? longStep : shortStep;
  return [arrow[0] * length, arrow[1] * length];
}

function isRemoval({ key }: KeyboardEvent): boolean {
  return key === 'Delete' || key === 'Backspace';
}
