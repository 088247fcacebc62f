import type { Stream } from '@lynceus/client';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { beginEditing, chosenShape, type Editor, finishDrawing, shapesIn } from './editor.js';
import { freeName, type Shape, settingsOf, shapesOf } from './shapes.js';

/** The element of the editor that gets the focus once it is drawn: a corner, a shape, the name of a zone, or the stage. */
type FocusWish = `corner-${number}` | `shape-${number}` | `name-${number}` | 'stage';

/** Wishes for the case that what had the focus is gone. */
type Fallback = 'stage-if-lost';

/** The state of the editor of one stream. */
export function useZoneEditor(stream: Stream) {
  const { t } = useTranslation();
  const [editor, setEditor] = useState<Editor>(() => beginEditing(shapesOf(stream.settings)));
  const [saved, setSaved] = useState(() => textOf(shapesOf(stream.settings)));
  const [said, setSaid] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const wish = useRef<FocusWish | Fallback | null>(null);
  useEffect(() => {
    const wanted = wish.current;
    if (wanted === null) return;
    const isFallback = wanted === 'stage-if-lost';
    if (isFallback && document.activeElement !== document.body) {
      wish.current = null;
      return;
    }
    const element = root.current?.querySelector(`[data-focus="${isFallback ? 'stage' : wanted}"]`);
    if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
    wish.current = null;
    element.focus({ preventScroll: true });
    if (element instanceof HTMLInputElement) element.select();
  });
  const shapes = shapesIn(editor);
  return {
    editor,
    root,
    shapes,
    said,
    /** Changes the editor, and says to screen readers what was done. */
    edit: (change: (editor: Editor) => Editor, what = '', focus: FocusWish | Fallback | null = null) => {
      setEditor(change);
      if (what !== '') setSaid(what);
      if (focus !== null) wish.current = focus;
    },
    /** Closes the shape that is drawn: its name can be typed at once. */
    finish: () => {
      const name = freeName(shapes, (number) => t('zones.zoneNumber', { number }));
      const next = finishDrawing(editor, name);
      const shape = chosenShape(next);
      if (next === editor || !shape) return;
      setEditor(next);
      setSaid(t('zones.finished', { name: shape.kind === 'zone' ? name : t('zones.mask') }));
      wish.current = shape.kind === 'zone' ? `name-${shape.key}` : `shape-${shape.key}`;
    },
    isChanged: textOf(shapes) !== saved,
    /** After they were saved. */
    settle: () => setSaved(textOf(shapes)),
    discard: () => {
      setEditor(beginEditing(shapesOf(stream.settings)));
      setSaved(textOf(shapesOf(stream.settings)));
    },
  };
}

export type ZoneEditor = ReturnType<typeof useZoneEditor>;

function textOf(shapes: readonly Shape[]): string {
  return JSON.stringify(settingsOf(shapes));
}
