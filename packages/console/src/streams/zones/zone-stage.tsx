import { useElementSize } from '@mantine/hooks';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { DrawingView } from './drawing-view.js';
import { chooseShape } from './editor.js';
import type { ShownShape } from './shape-look.js';
import { ShapeView } from './shape-view.js';
import type { ShapeFault } from './shapes.js';
import { useStageKeys } from './use-stage-keys.js';
import { useStagePointer } from './use-stage-pointer.js';
import type { ZoneEditor } from './use-zone-editor.js';
import styles from './zone-stage.module.css';

/** The frame of a camera with its zones and masks, which are changed by pointer and keyboard. */
export function ZoneStage({
  zones,
  shown,
  faults,
  name,
  frame,
  ratio,
  drawnColour,
  mayChange,
}: {
  zones: ZoneEditor;
  shown: readonly ShownShape[];
  faults: ReadonlyMap<number, ShapeFault>;
  /** Of the camera. */
  name: string;
  /** The address of the frame; null while there is none. */
  frame: string | null;
  /** Of width to height. */
  ratio: number;
  drawnColour: string;
  mayChange: boolean;
}) {
  const { t } = useTranslation();
  const { ref, width } = useElementSize();
  const help = useId();
  const size = { width, height: width / ratio };
  const { editor, edit } = zones;
  const pointer = useStagePointer(zones, size);
  const keys = useStageKeys(zones);
  const { drawing, chosen, corner } = editor;
  // The selected one is on top, so that its corners can be pressed.
  const ordered = [
    ...shown.filter(({ key }) => key !== chosen),
    ...shown.filter(({ key }) => key === chosen),
  ];
  return (
    <div className={styles['stage']} style={{ maxWidth: `calc(68vh * ${ratio})` }}>
      <div ref={ref} className={styles['ground']} style={{ aspectRatio: ratio }}>
        {frame && <img src={frame} alt="" draggable={false} className={styles['image']} />}
      </div>
      {width > 0 && (
        // The keys of drawing belong to the stage: with this role screen readers pass them on.
        <svg
          className={styles['shapes']}
          width={size.width}
          height={size.height}
          role="application"
          aria-label={t('zones.stage', { name })}
          aria-describedby={help}
          tabIndex={drawing ? 0 : -1}
          data-focus="stage"
          data-drawing={drawing !== null}
          {...(mayChange ? { ref: pointer.ref, ...pointer.handlers, onKeyDown: keys.onStageKey } : {})}
        >
          <defs>
            <pattern id="zone-mask" width="8" height="8" patternUnits="userSpaceOnUse">
              <path d="M0 8L8 0" stroke="#fff" strokeWidth="1.5" opacity="0.7" />
            </pattern>
          </defs>
          {ordered.map((shape) => (
            <ShapeView
              key={shape.key}
              shape={shape}
              size={size}
              isChosen={shape.key === chosen}
              corner={corner}
              isFaulty={faults.get(shape.key) === 'crossing'}
              mayChange={mayChange}
              keys={keys}
              onFocusShape={() => edit((now) => chooseShape(now, shape.key))}
              onFocusCorner={(index) => edit((now) => chooseShape(now, shape.key, index))}
            />
          ))}
          {drawing && <DrawingView drawing={drawing} size={size} colour={drawnColour} />}
        </svg>
      )}
      <p id={help} className={styles['help']} hidden={!mayChange}>
        {t(drawing ? 'zones.howToDraw' : shown.length === 0 ? 'zones.howToBegin' : 'zones.howToEdit')}
      </p>
    </div>
  );
}
