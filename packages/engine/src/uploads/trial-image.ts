/**
 * An image to try a model with: a gradient, discs of many colours and some noise, so that neither shapes nor texture are
 * missing. RGB, row by row; the same for the same seed.
 */
export function drawImage(width: number, height: number, seed: number): Uint8Array {
  const data = new Uint8Array(width * height * 3);
  let state = seed * 2_654_435_761;
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
      const ground = [(255 * x) / width, (255 * y) / height, 128];
      const noise = 16 * random();
      for (let channel = 0; channel < 3; channel++) {
        data[at + channel] = Math.min(255, ((disc?.colour ?? ground)[channel] ?? 0) + noise);
      }
    }
  }
  return data;
}
