import { type Markup, markup } from './markup.js';

interface CalibrationPoint {
  /** Mean of what was said, 0 to 1. */
  readonly predicted: number;
  /** Share of those answers that was right. */
  readonly right: number;
  readonly answers: number;
}

const side = 260;
const margin = 40;

/** How sure the answers were against how often they were right: on the diagonal, one is as sure as one should be. */
export function drawCalibration(points: readonly CalibrationPoint[]): Markup {
  const shown = points.filter(({ answers }) => answers > 0);
  const most = Math.max(1, ...shown.map(({ answers }) => answers));
  const x = (predicted: number) => (margin + predicted * side).toFixed(1);
  const y = (right: number) => (margin / 2 + (1 - right) * side).toFixed(1);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return markup`<svg viewBox="0 0 ${side + 1.5 * margin} ${side + 1.5 * margin}" role="img" aria-label="Calibration: share that was right by how sure the answer was">
<g class="grid">${ticks.map((at) => markup`<path d="M${x(at)} ${y(0)}V${y(1)}M${x(0)} ${y(at)}H${x(1)}"/>`)}</g>
<path class="ideal" d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}"/>
<polyline points="${shown.map(({ predicted, right }) => `${x(predicted)},${y(right)}`).join(' ')}"/>
${shown.map(
  ({ predicted, right, answers }) =>
    markup`<circle cx="${x(predicted)}" cy="${y(right)}" r="${(2 + 6 * Math.sqrt(answers / most)).toFixed(1)}"><title>${answers} answers, sure to ${predicted.toFixed(2)}, right ${right.toFixed(2)}</title></circle>\n`,
)}
${ticks.map(
  (at) =>
    markup`<text x="${x(at)}" y="${margin / 2 + side + 16}" text-anchor="middle">${at}</text><text x="${margin - 6}" y="${y(at)}" text-anchor="end" dominant-baseline="middle">${at}</text>`,
)}
<text x="${x(0.5)}" y="${margin / 2 + side + 34}" text-anchor="middle">how sure</text>
<text transform="translate(11 ${y(0.5)}) rotate(-90)" text-anchor="middle">right</text></svg>`;
}
