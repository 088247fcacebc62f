import { type PointerEvent, useRef } from 'react';
import { changeShape, chooseShape, chosenShape, moveCursor, setCorner } from './editor.js';
import { type Corner, insertCorner, minCorners, moveCorner, movePolygon, type Polygon } from './polygon.js';
import type { ZoneEditor } from './use-zone-editor.js';

/** What a pressed pointer does. Its changes have one name, so that they are undone together. */
type Gesture = { readonly step: string; readonly from: Corner } & (
  | { readonly kind: 'set' }
  | { readonly kind: 'corner'; readonly key: number; readonly index: number }
  | { readonly kind: 'edge'; readonly key: number; readonly index: number; readonly polygon: Polygon }
  | { readonly kind: 'shape'; readonly key: number; readonly polygon: Polygon }
);

/** In CSS pixels: nearer to the first corner, the shape is closed; a shorter movement is a click. */
const closePixels = 16;
const clickPixels = 4;

export interface StageSize {
  readonly width: number;
  readonly height: number;
}

/** Draws and changes shapes with a mouse, a pen or a finger. */
export function useStagePointer({ editor, edit, finish }: ZoneEditor, size: StageSize) {
  const gesture = useRef<Gesture | null>(null);
  const steps = useRef(0);

  const toCorner = (event: PointerEvent<SVGSVGElement>): Corner => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return [(event.clientX - left) / size.width, (event.clientY - top) / size.height];
  };
  const pixelsBetween = (a: Corner, b: Corner) =>
    Math.hypot((a[0] - b[0]) * size.width, (a[1] - b[1]) * size.height);

  const onPointerDown = (event: PointerEvent<SVGSVGElement>) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const from = toCorner(event);
    steps.current += 1;
    const common = { from, step: `pointer ${steps.current}` };
    const pressed = pressedAt(event);
    const chosen = chosenShape(editor);
    if (editor.drawing) gesture.current = { ...common, kind: 'set' };
    else if (pressed?.kind === 'corner' && chosen) {
      gesture.current = { ...common, kind: 'corner', key: chosen.key, index: pressed.index };
      edit((now) => chooseShape(now, chosen.key, pressed.index), '', `corner-${pressed.index}`);
    } else if (pressed?.kind === 'edge' && chosen) {
      gesture.current = { ...common, ...pressed, key: chosen.key, polygon: chosen.polygon };
    } else if (pressed?.kind === 'shape' && pressed.index === chosen?.key) {
      gesture.current = { ...common, kind: 'shape', key: chosen.key, polygon: chosen.polygon };
    } else {
      const key = pressed?.kind === 'shape' ? pressed.index : null;
      edit((now) => chooseShape(now, key), '', key === null ? null : `shape-${key}`);
    }
    if (gesture.current) event.currentTarget.setPointerCapture(event.pointerId);
  };

  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const at = toCorner(event);
    if (editor.drawing) return edit((now) => moveCursor(now, at));
    const doing = gesture.current;
    if (!doing || doing.kind === 'set') return;
    if (doing.kind === 'shape' && pixelsBetween(doing.from, at) < clickPixels) return;
    const { key, step } = doing;
    edit((now) => {
      const shape = chosenShape(now);
      if (shape?.key !== key) return now;
      if (doing.kind === 'corner') {
        return changeShape(now, key, { polygon: moveCorner(shape.polygon, doing.index, at) }, step);
      }
      if (doing.kind === 'edge') {
        const polygon = insertCorner(doing.polygon, doing.index, at);
        return { ...changeShape(now, key, { polygon }, step), corner: doing.index + 1 };
      }
      const by: Corner = [at[0] - doing.from[0], at[1] - doing.from[1]];
      return changeShape(now, key, { polygon: movePolygon(doing.polygon, by) }, step);
    });
  };

  const onPointerUp = (event: PointerEvent<SVGSVGElement>) => {
    const doing = gesture.current;
    gesture.current = null;
    if (doing?.kind !== 'set' || !editor.drawing) return;
    const at = toCorner(event);
    const { corners } = editor.drawing;
    const [first] = corners;
    if (first && corners.length >= minCorners && pixelsBetween(first, at) <= closePixels) return finish();
    edit((now) => setCorner(moveCursor(now, at)));
  };

  const onPointerCancel = () => {
    gesture.current = null;
  };
  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel };
}

/** What is under the pointer: `data-press` of an element, such as `corner-2`. */
function pressedAt({ target }: PointerEvent): { kind: 'corner' | 'edge' | 'shape'; index: number } | null {
  const press =
    target instanceof SVGElement ? target.closest('[data-press]')?.getAttribute('data-press') : null;
  const [, kind, index] = /^(corner|edge|shape)-(\d+)$/.exec(press ?? '') ?? [];
  if (kind !== 'corner' && kind !== 'edge' && kind !== 'shape') return null;
  return { kind, index: Number(index) };
}
