import { type PointerEvent, useCallback, useRef } from 'react';
import { addCornerAfter, changeShape, chooseShape, chosenShape, moveCursor, setCorner } from './editor.js';
import {
  type Corner,
  maxCorners,
  middleOfEdge,
  minCorners,
  moveCorner,
  movePolygon,
  type Polygon,
} from './polygon.js';
import type { ZoneEditor } from './use-zone-editor.js';

/** What a pressed pointer does. Its changes have one name, so that they are undone together. */
type Gesture = { readonly step: string; readonly from: Corner; readonly isMoved: boolean } & (
  | { readonly kind: 'set' }
  | { readonly kind: 'corner'; readonly key: number; readonly index: number; readonly start: Corner }
  | { readonly kind: 'shape'; readonly key: number; readonly polygon: Polygon }
);

/** In CSS pixels: nearer to the first corner, the shape is closed; a finger is less exact. */
const closePixels = { mouse: 16, touch: 24 };
/** In CSS pixels: a shorter movement is a click, or a tap. */
const clickPixels = 4;

export interface StageSize {
  readonly width: number;
  readonly height: number;
}

/** Draws and changes shapes with a mouse, a pen or a finger. */
export function useStagePointer({ editor, edit, finish }: ZoneEditor, size: StageSize) {
  const gesture = useRef<Gesture | null>(null);
  const steps = useRef(0);

  /** What a finger drags does not scroll the page. Elements within SVG are inline, to which `touch-action` does not apply. */
  const ref = useCallback((stage: SVGSVGElement | null) => {
    const hold = (event: TouchEvent) => {
      if (gesture.current && event.cancelable) event.preventDefault();
    };
    // React's own listeners are passive: they cannot prevent it.
    stage?.addEventListener('touchstart', hold, { passive: false });
    return () => stage?.removeEventListener('touchstart', hold);
  }, []);

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
    const common = { from, step: `pointer ${steps.current}`, isMoved: false };
    const pressed = pressedAt(event);
    const chosen = chosenShape(editor);
    const { polygon = [], key = 0 } = chosen ?? {};
    if (editor.drawing) gesture.current = { ...common, kind: 'set' };
    else if (pressed?.kind === 'corner' && chosen) {
      const { index } = pressed;
      gesture.current = { ...common, kind: 'corner', key, index, start: polygon[index] ?? from };
      edit((now) => chooseShape(now, key, index), '', `corner-${index}`);
    } else if (pressed?.kind === 'edge' && chosen) {
      if (polygon.length >= maxCorners) return;
      // The dot becomes a corner at once, so that a tap is enough; where it is dragged to is undone with it.
      const index = pressed.index + 1;
      gesture.current = {
        ...common,
        kind: 'corner',
        key,
        index,
        start: middleOfEdge(polygon, pressed.index),
      };
      edit((now) => addCornerAfter(now, pressed.index, undefined, common.step), '', `corner-${index}`);
    } else if (pressed?.kind === 'shape' && pressed.index === chosen?.key) {
      gesture.current = { ...common, kind: 'shape', key, polygon };
    } else {
      const other = pressed?.kind === 'shape' ? pressed.index : null;
      edit((now) => chooseShape(now, other), '', other === null ? null : `shape-${other}`);
    }
    if (gesture.current) event.currentTarget.setPointerCapture(event.pointerId);
  };

  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    if (!event.isPrimary) return;
    const at = toCorner(event);
    if (editor.drawing) return edit((now) => moveCursor(now, at));
    const doing = gesture.current;
    if (!doing || doing.kind === 'set') return;
    if (!doing.isMoved && pixelsBetween(doing.from, at) < clickPixels) return;
    gesture.current = { ...doing, isMoved: true };
    const { key, step, from } = doing;
    const by: Corner = [at[0] - from[0], at[1] - from[1]];
    edit((now) => {
      const shape = chosenShape(now);
      if (shape?.key !== key) return now;
      if (doing.kind === 'shape') {
        return changeShape(now, key, { polygon: movePolygon(doing.polygon, by) }, step);
      }
      // By as much as the pointer: a finger seldom meets the middle of a corner.
      const next: Corner = [doing.start[0] + by[0], doing.start[1] + by[1]];
      return changeShape(now, key, { polygon: moveCorner(shape.polygon, doing.index, next) }, step);
    });
  };

  const onPointerUp = (event: PointerEvent<SVGSVGElement>) => {
    if (!event.isPrimary) return;
    const doing = gesture.current;
    gesture.current = null;
    if (doing?.kind !== 'set' || !editor.drawing) return;
    const at = toCorner(event);
    const { corners } = editor.drawing;
    const [first] = corners;
    const reach = closePixels[event.pointerType === 'touch' ? 'touch' : 'mouse'];
    if (first && corners.length >= minCorners && pixelsBetween(first, at) <= reach) return finish();
    edit((now) => setCorner(moveCursor(now, at)));
  };

  const onPointerCancel = () => {
    gesture.current = null;
  };
  return { ref, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } };
}

/** What is under the pointer: `data-press` of an element, such as `corner-2`. */
function pressedAt({ target }: PointerEvent): { kind: 'corner' | 'edge' | 'shape'; index: number } | null {
  const press =
    target instanceof SVGElement ? target.closest('[data-press]')?.getAttribute('data-press') : null;
  const [, kind, index] = /^(corner|edge|shape)-(\d+)$/.exec(press ?? '') ?? [];
  if (kind !== 'corner' && kind !== 'edge' && kind !== 'shape') return null;
  return { kind, index: Number(index) };
}
