import sharp from 'sharp';

export const shapes = ['circle', 'square', 'star'] as const;
export const shapeWidth = 480;
export const shapeHeight = 360;

/** A shape of some size and colour somewhere near the middle of a coloured ground. */
export function drawShape(shape: (typeof shapes)[number], count: number): Promise<Buffer> {
  const fraction = (factor: number) => (count * factor) % 1;
  const size = 60 + 60 * fraction(0.37);
  const x = shapeWidth * (0.4 + 0.2 * fraction(0.61));
  const y = shapeHeight * (0.4 + 0.2 * fraction(0.23));
  const colour = (shift: number, light: number) => `hsl(${Math.round(360 * fraction(shift))} 60% ${light}%)`;
  const points = Array.from({ length: 10 }, (_, corner) => {
    const reach = corner % 2 === 0 ? size : size * 0.4;
    const angle = (corner * Math.PI) / 5;
    return `${x + reach * Math.sin(angle)},${y - reach * Math.cos(angle)}`;
  }).join(' ');
  const body = {
    circle: `<circle cx="${x}" cy="${y}" r="${size}"/>`,
    square: `<rect x="${x - size}" y="${y - size}" width="${2 * size}" height="${2 * size}"/>`,
    star: `<polygon points="${points}"/>`,
  }[shape];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${shapeWidth}" height="${shapeHeight}"><rect width="100%" height="100%" fill="${colour(0.29, 80)}"/><g fill="${colour(0.83, 35)}">${body}</g></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}
