import type { DatasetBox } from '@lynceus/client';
import { type PointerEvent, useRef, useState } from 'react';
import type { DraftLabel, Suggestion } from '../drafts/draft.js';
import {
  boxBetween,
  contains,
  type Handle,
  isLargeEnough,
  moveBox,
  type Point,
  resizeBox,
  type Size,
  smallestAt,
} from './geometry.js';
import { panBy, toImage, type View, zoomAt } from './view.js';

/** The gesture of a pressed pointer. */
type Gesture =
  | { readonly kind: 'draw'; readonly from: Point }
  | { readonly kind: 'move'; readonly label: BoxLabel; readonly from: Point }
  | { readonly kind: 'resize'; readonly label: BoxLabel; readonly handle: Handle }
  | { readonly kind: 'pan'; readonly view: View; readonly at: Point };

interface BoxLabel extends DraftLabel {
  readonly box: DatasetBox;
}

/** The box of a gesture that has not ended: a new box (key null), or a changed one. */
export interface Preview {
  readonly key: number | null;
  readonly box: DatasetBox;
}

/** A movement of fewer CSS pixels is a click. */
const clickPixels = 4;

interface GestureOptions {
  readonly image: Size;
  readonly stage: Size;
  readonly view: View;
  readonly labels: readonly DraftLabel[];
  readonly suggestions: readonly Suggestion[];
  readonly chosen: number | null;
  /** Whether dragging draws a box; otherwise it moves the image. */
  readonly isDrawing: boolean;
  /** The current view, also before the next render. */
  readonly readView: () => View;
  readonly onView: (view: View) => void;
  readonly onChoose: (key: number | null) => void;
  readonly onDraw: (box: DatasetBox) => void;
  readonly onChange: (key: number, box: DatasetBox) => void;
  readonly onAccept: (suggestion: Suggestion) => void;
}

/** Draws, moves and resizes boxes with one pointer; zooms and moves the image with two fingers. */
export function useGestures(options: GestureOptions) {
  const { image, stage, view, labels, chosen, isDrawing } = options;
  const [preview, setPreview] = useState<Preview | null>(null);
  const gesture = useRef<Gesture | null>(null);
  const down = useRef<Point | null>(null);
  const fingers = useRef(new Map<number, Point>());
  const shown = labels.filter((label): label is BoxLabel => label.box !== null);

  const end = () => {
    gesture.current = null;
    down.current = null;
    setPreview(null);
  };

  const onPointerDown = (event: PointerEvent<SVGSVGElement>) => {
    const at = pointOf(event);
    fingers.current.set(event.pointerId, at);
    event.currentTarget.setPointerCapture(event.pointerId);
    if (fingers.current.size > 1) return end();
    if (event.button > 1) return;
    down.current = at;
    const from = toImage(view, at);
    const current = shown.find(({ key }) => key === chosen);
    const handle = handleOf(event);
    if (event.button === 1 || !isDrawing) gesture.current = { kind: 'pan', view, at };
    else if (current && handle) gesture.current = { kind: 'resize', label: current, handle };
    // With Shift a box is drawn inside the selected one.
    else if (current && !event.shiftKey && contains(current.box, from))
      gesture.current = { kind: 'move', label: current, from };
    else gesture.current = { kind: 'draw', from };
  };

  const onPointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const at = pointOf(event);
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    fingers.current.set(event.pointerId, at);
    if (fingers.current.size > 1) return pinch(event.pointerId, before, at);
    const doing = gesture.current;
    if (!doing || (down.current && distance(down.current, at) < clickPixels)) return;
    down.current = null;
    if (doing.kind === 'pan') {
      const by = { x: at.x - doing.at.x, y: at.y - doing.at.y };
      options.onView(panBy(doing.view, by, image, stage));
      return;
    }
    setPreview(previewOf(doing, toImage(view, at), image));
  };

  const pinch = (moved: number, before: Point, at: Point) => {
    const other = [...fingers.current].find(([id]) => id !== moved)?.[1];
    if (!other) return;
    const factor = distance(other, at) / Math.max(1, distance(other, before));
    const middle = { x: (other.x + at.x) / 2, y: (other.y + at.y) / 2 };
    const zoomed = zoomAt(options.readView(), middle, factor, image, stage);
    options.onView(panBy(zoomed, { x: (at.x - before.x) / 2, y: (at.y - before.y) / 2 }, image, stage));
  };

  const onPointerUp = (event: PointerEvent<SVGSVGElement>) => {
    const doing = gesture.current;
    const wasOnly = fingers.current.delete(event.pointerId) && fingers.current.size === 0;
    if (!doing || !wasOnly) return end();
    const at = toImage(view, pointOf(event));
    if (down.current) {
      if (doing.kind !== 'resize') click(at, doing.kind === 'move' ? doing.label.key : null);
    } else if (doing.kind !== 'pan') {
      const { key, box } = previewOf(doing, at, image);
      if (key !== null) options.onChange(key, box);
      else if (isLargeEnough(box)) options.onDraw(box);
    }
    end();
  };

  /** Another click selects a box below the selected one. */
  const click = (at: Point, current: number | null) => {
    const other = smallestAt(
      at,
      shown.filter(({ key }) => key !== chosen),
    );
    const suggested = smallestAt(at, options.suggestions);
    if (suggested && !other && current === null) options.onAccept(suggested);
    else options.onChoose(other?.key ?? current);
  };

  const onPointerCancel = (event: PointerEvent<SVGSVGElement>) => {
    fingers.current.delete(event.pointerId);
    end();
  };
  return { preview, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel } };
}

function previewOf(doing: Exclude<Gesture, { kind: 'pan' }>, at: Point, image: Size): Preview {
  if (doing.kind === 'draw') return { key: null, box: boxBetween(doing.from, at, image) };
  const { key, box } = doing.label;
  if (doing.kind === 'resize') return { key, box: resizeBox(box, doing.handle, at, image) };
  return { key, box: moveBox(box, { x: at.x - doing.from.x, y: at.y - doing.from.y }, image) };
}

/** In CSS pixels of the stage. */
function pointOf(event: PointerEvent<SVGSVGElement>): Point {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

function handleOf(event: PointerEvent<SVGSVGElement>): Handle | null {
  const { target } = event;
  return target instanceof SVGElement ? ((target.dataset['handle'] as Handle | undefined) ?? null) : null;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
