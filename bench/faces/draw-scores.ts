import type { PairScores } from './pairs.js';

const [width, height, margin, bins] = [720, 320, 44, 60] as const;

/** The distributions of genuine and impostor scores as an SVG: shares of each kind by cosine, the decision point marked. */
export function drawScores(title: string, { genuine, impostor }: PairScores, decision: number): string {
  const all = [...genuine, ...impostor].filter((score) => score >= -1);
  const low = Math.min(...all, decision);
  const span = Math.max(...all, decision) - low || 1;
  const [of, against] = [histogram(genuine, low, span), histogram(impostor, low, span)];
  const top = Math.max(...of, ...against);
  const x = (cosine: number) => margin + ((cosine - low) / span) * (width - 2 * margin);
  const y = (portion: number) => height - margin - (portion / top) * (height - 2 * margin);
  const bars = (portions: readonly number[], colour: string) =>
    portions
      .map((portion, bin) => {
        const left = x(low + (bin / bins) * span);
        const barHeight = height - margin - y(portion);
        return `<rect x="${left.toFixed(1)}" y="${y(portion).toFixed(1)}" width="${((width - 2 * margin) / bins).toFixed(1)}" height="${barHeight.toFixed(1)}" fill="${colour}" fill-opacity=".6"/>`;
      })
      .join('');
  const ticks = Array.from({ length: 7 }, (_, tick) => low + (tick / 6) * span)
    .map((cosine) => text(x(cosine), height - margin + 16, cosine.toFixed(2), 'middle'))
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${text(margin, 18, title, 'start')}
${bars(against, '#c0392b')}
${bars(of, '#0072b2')}
<path d="M${margin} ${height - margin}H${width - margin}" stroke="#333"/>
<path d="M${x(decision).toFixed(1)} ${margin}V${height - margin}" stroke="#333" stroke-dasharray="4 3"/>
${text(x(decision), margin - 6, `decision ${decision}`, 'middle')}
${ticks}
${text(margin, height - 10, `red: ${impostor.length} impostor pairs; blue: ${genuine.length} genuine pairs; cosine across, share of the pairs upwards`, 'start')}
</svg>
`;
}

function histogram(scores: readonly number[], low: number, span: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const score of scores) {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(((score - low) / span) * bins)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count) => count / Math.max(1, scores.length));
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="#222">${words}</text>`;
}
