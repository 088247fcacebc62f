import type { DatasetBox, DatasetImage } from '@lynceus/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';
import { datasetImageAddress } from '../../service/addresses.js';
import type { DraftLabel, Suggestion } from '../drafts/draft.js';
import { BoxShape } from './box-shape.js';
import type { Size } from './geometry.js';
import classes from './stage.module.css';
import { useGestures } from './use-gestures.js';
import { fitView, type View, zoomAt } from './view.js';

/** Formats that browsers can show. */
const shownKinds: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'bmp']);
const smallWidth = 1280;
/** A named group, which SVG lacks. It takes the focus when it is clicked. */
const asGroup = { role: 'group', tabIndex: -1 };
/** One notch of the wheel is about 100. */
const wheelSpeed = 0.0016;

export interface StageLabel extends DraftLabel {
  readonly name: string;
  readonly colour: string;
}
interface StageSuggestion extends Suggestion {
  readonly name: string;
  readonly colour: string;
}

/**
 * The image with its boxes. Boxes are SVG elements, which screen readers announce and the Tab key reaches, and which are
 * sharp at any zoom. Browsers draw three hundred of them at once.
 */
export function Stage({
  stage,
  datasetId,
  image,
  labels,
  suggestions,
  chosen,
  unnamed,
  isDrawing,
  drawnColour,
  view: wantedView,
  onView,
  onChoose,
  onDraw,
  onChange,
  onAccept,
}: {
  /** In CSS pixels. */
  stage: Size;
  datasetId: number;
  image: DatasetImage;
  labels: readonly StageLabel[];
  suggestions: readonly StageSuggestion[];
  chosen: number | null;
  /** A box that waits for its class. */
  unnamed: DatasetBox | null;
  isDrawing: boolean;
  drawnColour: string;
  /** Null: the whole image. */
  view: View | null;
  onView: (view: View) => void;
  onChoose: (key: number | null) => void;
  onDraw: (box: DatasetBox) => void;
  onChange: (key: number, box: DatasetBox) => void;
  onAccept: (suggestion: Suggestion) => void;
}) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const svg = useRef<SVGSVGElement>(null);
  const size = image.image;
  const view = wantedView ?? fitView(size, stage);
  const now = { view, size, stage };
  const newest = useRef(now);
  newest.current = now;
  // Several events may arrive before the next render: each continues from the one before.
  const look = useCallback(
    (next: View) => {
      newest.current = { ...newest.current, view: next };
      onView(next);
    },
    [onView],
  );
  const gestures = useGestures({
    image: size,
    stage,
    view,
    labels,
    suggestions,
    chosen,
    isDrawing,
    onChoose,
    onDraw,
    onChange,
    onAccept,
    onView: look,
    readView: () => newest.current.view,
  });
  const source = useSource(datasetId, image, view.scale);

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const at = { x: event.clientX - left, y: event.clientY - top };
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1;
      const factor = Math.exp(-event.deltaY * lines * wheelSpeed);
      const { view: from, size: whole, stage: stageSize } = newest.current;
      look(zoomAt(from, at, factor, whole, stageSize));
    };
    // React's wheel listeners are passive: the page would scroll too.
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [look]);

  const { preview } = gestures;
  const drawn = preview?.key === null ? preview.box : unnamed;
  const ordered = [...labels].sort((a, b) => Number(a.key === chosen) - Number(b.key === chosen));
  return (
    <div className={classes['stage']} data-drawing={isDrawing || undefined}>
      {stage.width > 0 && (
        <>
          <img
            key={image.id}
            className={classes['image']}
            src={source.src}
            alt=""
            draggable={false}
            onError={source.onError}
            style={{
              transform: `translate(${view.x}px, ${view.y}px)`,
              width: size.width * view.scale,
              height: size.height * view.scale,
            }}
          />
          <svg
            ref={svg}
            className={classes['boxes']}
            width={stage.width}
            height={stage.height}
            {...asGroup}
            onMouseDown={(event) => {
              // The stage gets the focus, and pressing on a box does not select it.
              event.preventDefault();
              event.currentTarget.focus({ preventScroll: true });
            }}
            aria-label={t('labelling.stage', { name: image.file_name })}
            {...gestures.handlers}
          >
            {suggestions.map((suggestion) =>
              suggestion.box ? (
                <BoxShape
                  key={`suggested ${suggestion.key}`}
                  box={suggestion.box}
                  view={view}
                  colour={suggestion.colour}
                  text={`${suggestion.name} ?`}
                  label={t('labelling.suggestedBox', {
                    name: suggestion.name,
                    score: percent(suggestion.score, 0),
                  })}
                  kind="suggested"
                  onChoose={() => onAccept(suggestion)}
                />
              ) : null,
            )}
            {ordered.map((label) => {
              const box = preview?.key === label.key ? preview.box : label.box;
              return box ? (
                <BoxShape
                  key={label.key}
                  box={box}
                  view={view}
                  colour={label.colour}
                  text={label.name}
                  label={t('labelling.box', {
                    name: label.name,
                    x: box.x_min,
                    y: box.y_min,
                    width: box.x_max - box.x_min,
                    height: box.y_max - box.y_min,
                  })}
                  kind={label.key === chosen ? 'chosen' : 'plain'}
                  onChoose={() => onChoose(label.key)}
                />
              ) : null;
            })}
            {drawn && <BoxShape box={drawn} view={view} colour={drawnColour} text="" label="" kind="drawn" />}
          </svg>
        </>
      )}
    </div>
  );
}

/** A thumbnail first; the original after zooming in, or when there is no thumbnail. */
function useSource(datasetId: number, { id, image }: DatasetImage, scale: number) {
  const [failed, setFailed] = useState<number | null>(null);
  const device = typeof window === 'undefined' ? 1 : window.devicePixelRatio;
  const isNear = image.width * scale * device > smallWidth * 1.3 && image.width > smallWidth;
  const wantsWhole = failed === id || (isNear && shownKinds.has(image.kind));
  return {
    src: datasetImageAddress(datasetId, id, wantsWhole ? undefined : smallWidth),
    onError: () => setFailed(id),
  };
}
