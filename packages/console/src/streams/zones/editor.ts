import { beginHistory, type History, record, redo, undo } from '../../kit/history.js';
import {
  type Corner,
  insertCorner,
  maxCorners,
  minCorners,
  type Polygon,
  removeCorner,
  withinImage,
} from './polygon.js';
import { maxShapes, type Shape } from './shapes.js';

/** A shape whose corners are being set. */
export interface Drawing {
  readonly kind: Shape['kind'];
  readonly corners: Polygon;
  /** Where the next corner would be set. */
  readonly cursor: Corner;
}

/** The zones and masks of a stream as they are edited, what is selected, and what is being drawn. */
export interface Editor {
  readonly history: History<readonly Shape[]>;
  /** The key of the selected shape. */
  readonly chosen: number | null;
  /** The index of its selected corner. */
  readonly corner: number | null;
  readonly drawing: Drawing | null;
}

export function beginEditing(shapes: readonly Shape[]): Editor {
  return { history: beginHistory(shapes), chosen: null, corner: null, drawing: null };
}

export const shapesIn = ({ history }: Editor): readonly Shape[] => history.present;

export function chosenShape({ history, chosen }: Editor): Shape | null {
  return history.present.find(({ key }) => key === chosen) ?? null;
}

export function mayAdd({ history }: Editor, kind: Shape['kind']): boolean {
  return history.present.filter((shape) => shape.kind === kind).length < maxShapes;
}

export function chooseShape(editor: Editor, chosen: number | null, corner: number | null = null): Editor {
  if (editor.chosen === chosen && editor.corner === corner) return editor;
  return { ...editor, chosen, corner };
}

export function beginDrawing(editor: Editor, kind: Shape['kind']): Editor {
  return { ...editor, chosen: null, corner: null, drawing: { kind, corners: [], cursor: [0.5, 0.5] } };
}

export function moveCursor(editor: Editor, cursor: Corner): Editor {
  const { drawing } = editor;
  return drawing ? { ...editor, drawing: { ...drawing, cursor: withinImage(cursor) } } : editor;
}

/** Sets a corner at the cursor. */
export function setCorner(editor: Editor): Editor {
  const { drawing } = editor;
  if (!drawing || drawing.corners.length >= maxCorners) return editor;
  const [last] = drawing.corners.slice(-1);
  const { cursor } = drawing;
  if (last && last[0] === cursor[0] && last[1] === cursor[1]) return editor;
  return { ...editor, drawing: { ...drawing, corners: [...drawing.corners, cursor] } };
}

export function takeCornerBack(editor: Editor): Editor {
  const { drawing } = editor;
  return drawing ? { ...editor, drawing: { ...drawing, corners: drawing.corners.slice(0, -1) } } : editor;
}

export function cancelDrawing(editor: Editor): Editor {
  return { ...editor, drawing: null };
}

export function canFinish({ drawing }: Editor): boolean {
  return drawing !== null && drawing.corners.length >= minCorners;
}

/** Closes the drawn shape, which is selected from now on. The same editor while it has too few corners. */
export function finishDrawing(editor: Editor, name: string): Editor {
  const { drawing } = editor;
  if (!drawing || !canFinish(editor)) return editor;
  return addShape({ ...editor, drawing: null }, { ...drawing, name }, drawing.corners);
}

/** Adds a shape, which is selected from now on. */
export function addShape(
  editor: Editor,
  { kind, name }: Pick<Shape, 'kind' | 'name'>,
  polygon: Polygon,
): Editor {
  const shapes = editor.history.present;
  const key = 1 + Math.max(-1, ...shapes.map((shape) => shape.key));
  const shape: Shape = { key, kind, name: kind === 'zone' ? name : '', classes: [], polygon };
  return { ...editor, history: record(editor.history, [...shapes, shape]), chosen: key, corner: null };
}

/** Changes of one step are undone together. */
export function changeShape(
  editor: Editor,
  key: number,
  change: Partial<Pick<Shape, 'name' | 'classes' | 'polygon'>>,
  step: string | null = null,
): Editor {
  const shapes = editor.history.present.map((shape) => (shape.key === key ? { ...shape, ...change } : shape));
  return { ...editor, history: record(editor.history, shapes, step) };
}

export function removeShape(editor: Editor, key: number): Editor {
  const shapes = editor.history.present.filter((shape) => shape.key !== key);
  return keepChosen({ ...editor, history: record(editor.history, shapes) });
}

/** Adds a corner after one of the selected shape, and selects it. */
export function addCornerAfter(
  editor: Editor,
  index: number,
  at?: Corner,
  step: string | null = null,
): Editor {
  const shape = chosenShape(editor);
  if (!shape) return editor;
  const polygon = insertCorner(shape.polygon, index, at);
  if (polygon === shape.polygon) return editor;
  return { ...changeShape(editor, shape.key, { polygon }, step), corner: index + 1 };
}

/** Whether a corner is selected that its shape can do without. */
export function canRemoveCorner(editor: Editor): boolean {
  const shape = chosenShape(editor);
  return editor.corner !== null && shape !== null && shape.polygon.length > minCorners;
}

/** Removes a corner of the selected shape, and selects the one before it. */
export function removeCornerAt(editor: Editor, index: number): Editor {
  const shape = chosenShape(editor);
  if (!shape) return editor;
  const polygon = removeCorner(shape.polygon, index);
  if (polygon === shape.polygon) return editor;
  const before = index === 0 ? polygon.length - 1 : index - 1;
  return { ...changeShape(editor, shape.key, { polygon }), corner: before };
}

/** While a shape is drawn, its last corner. */
export function undoStep(editor: Editor): Editor {
  if (editor.drawing) return takeCornerBack(editor);
  return keepChosen({ ...editor, history: undo(editor.history) });
}

export function redoStep(editor: Editor): Editor {
  return editor.drawing ? editor : keepChosen({ ...editor, history: redo(editor.history) });
}

/** What is selected may be gone. */
function keepChosen(editor: Editor): Editor {
  const shape = chosenShape(editor);
  if (!shape) return { ...editor, chosen: null, corner: null };
  const isThere = editor.corner !== null && editor.corner < shape.polygon.length;
  return isThere ? editor : { ...editor, corner: null };
}
