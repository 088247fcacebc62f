import styles from './annotated-image.module.css';
import type { Corner, Finding, FindingKind } from './finding.js';

/** One colour a kind, dark enough for white text on it: 4.5 : 1. */
export const findingColours: Readonly<Record<FindingKind, string>> = {
  object: '#0b6f66',
  text: '#9a3d00',
  face: '#6d28d9',
  class: '#1d4ed8',
};
/** The same kinds as lines over an image. */
const lineColours: Readonly<Record<FindingKind, string>> = {
  object: '#2dd4bf',
  text: '#fb923c',
  face: '#c084fc',
  class: '#60a5fa',
};

/** Height of a label, as a share of the image's longer side. */
const labelShare = 0.026;
const lettersPerHeight = 0.56;

export function FindingShape({
  finding,
  size,
  isHighlighted,
  isFaded,
  onHighlight,
}: {
  finding: Finding;
  size: { readonly width: number; readonly height: number };
  isHighlighted: boolean;
  isFaded: boolean;
  onHighlight: (id: string | null) => void;
}) {
  const corners = finding.corners ?? [];
  const points = corners.map(([x, y]) => `${x},${y}`).join(' ');
  const className = [
    styles['shape'],
    isHighlighted ? styles['highlighted'] : '',
    isFaded ? styles['faded'] : '',
  ].join(' ');
  return (
    <g>
      {!isFaded && <polygon className={styles['halo']} points={points} />}
      <polygon
        className={className}
        points={points}
        stroke={lineColours[finding.kind]}
        onPointerEnter={() => onHighlight(finding.id)}
        onPointerLeave={() => onHighlight(null)}
      />
      {!isFaded && <Label finding={finding} corners={corners} size={size} />}
    </g>
  );
}

function Label({
  finding,
  corners,
  size,
}: {
  finding: Finding;
  corners: readonly Corner[];
  size: { readonly width: number; readonly height: number };
}) {
  const height = Math.max(size.width, size.height) * labelShare;
  const text = finding.label.length > 32 ? `${finding.label.slice(0, 31)}…` : finding.label;
  const width = text.length * height * lettersPerHeight + height * 0.6;
  const left = Math.min(...corners.map(([x]) => x));
  const top = Math.min(...corners.map(([, y]) => y));
  const x = Math.max(0, Math.min(left, size.width - width));
  // Above the shape if it fits there, else inside.
  const y = top - height * 1.35 >= 0 ? top - height * 1.35 : top;
  return (
    <>
      <rect
        className={styles['labelGround']}
        x={x}
        y={y}
        width={width}
        height={height * 1.35}
        rx={height * 0.2}
        fill={findingColours[finding.kind]}
      />
      <text className={styles['label']} x={x + height * 0.3} y={y + height} fontSize={height}>
        {text}
      </text>
    </>
  );
}
