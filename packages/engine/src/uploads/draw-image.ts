/** Images that a model is tried with. `texture` shows shapes and noise; the others one object on a plain ground. */
export type Drawing = 'texture' | 'red' | 'light';
export const drawings: readonly Drawing[] = ['texture', 'red', 'light'];

/** Where the object is: xMin, yMin, xMax, yMax relative to the image; off its diagonals, so that x and y differ. */
export const objectBox = [0.5625, 0.125, 0.875, 0.375] as const;

const colours = { red: [230, 25, 25], light: [245, 245, 245] } as const;
const ground = 40;

/** RGB, row by row; the same each time. */
export function drawImage(width: number, height: number, drawing: Drawing): Uint8Array {
  return drawing === 'texture' ? drawTexture(width, height) : drawObject(width, height, colours[drawing]);
}

function drawObject(width: number, height: number, colour: readonly number[]): Uint8Array {
  const data = new Uint8Array(width * height * 3).fill(ground);
  const [left, top, right, bottom] = objectBox;
  for (let y = Math.round(top * height); y < Math.round(bottom * height); y++) {
    for (let x = Math.round(left * width); x < Math.round(right * width); x++)
      data.set(colour, (y * width + x) * 3);
  }
  return data;
}

/** A gradient, discs of many colours and some noise. */
function drawTexture(width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height * 3);
  let state = 2_654_435_761;
  const random = () => {
    // Xorshift (Marsaglia 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const discs = Array.from({ length: 6 }, () => ({
    x: random() * width,
    y: random() * height,
    radius: (0.08 + 0.15 * random()) * Math.min(width, height),
    colour: [random() * 255, random() * 255, random() * 255],
  }));
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const disc = discs.find((each) => Math.hypot(x - each.x, y - each.y) < each.radius);
      const colour = disc?.colour ?? [(255 * x) / width, (255 * y) / height, 128];
      const noise = 16 * random();
      for (let channel = 0; channel < 3; channel++)
        data[at + channel] = Math.min(255, (colour[channel] ?? 0) + noise);
    }
  }
  return data;
}
