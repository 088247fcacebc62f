import sharp from 'sharp';

export const shapes = ['circle', 'square', 'triangle'] as const;

const fractionOf = (count: number) => (factor: number) => (count * factor + 0.1) % 1;

/** Its middle and half of its side. */
export function placeShape(count: number) {
  const fraction = fractionOf(count);
  return { x: 190 + 100 * fraction(0.61), y: 150 + 60 * fraction(0.23), size: 70 + 50 * fraction(0.37) };
}

/** A shape of some size and colour on a coloured ground. */
export function drawShape(shape: (typeof shapes)[number], count: number): Promise<Buffer> {
  const fraction = fractionOf(count);
  const { x, y, size } = placeShape(count);
  const body = {
    circle: `<circle cx="${x}" cy="${y}" r="${size}"/>`,
    square: `<rect x="${x - size}" y="${y - size}" width="${2 * size}" height="${2 * size}"/>`,
    triangle: `<polygon points="${x},${y - size} ${x + size},${y + size} ${x - size},${y + size}"/>`,
  }[shape];
  const colour = (shift: number, light: number) => `hsl(${Math.round(360 * fraction(shift))} 55% ${light}%)`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="100%" height="100%" fill="${colour(0.29, 80)}"/><g fill="${colour(0.83, 40)}">${body}</g></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}
