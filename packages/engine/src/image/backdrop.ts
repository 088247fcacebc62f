/** Colours behind transparent pixels: white, unless it hides the most of what is visible; then black, or grey where black hides too much. */
const white = '#ffffff';
const black = '#000000';
const grey = '#808080';

/** Luminance, 0 to 255, within which a pixel does not stand out from its backdrop. */
const hiddenWithin = 40;
/** Shares of the visible pixels that a backdrop may hide. */
const maxHidden = { byWhite: 0.5, byBlack: 0.1 } as const;
/** Pixels that are looked at: more change nothing. */
const maxSamples = 100_000;

/** The backdrop of an image with transparency, so that white letters on nothing are not lost over white. */
export function backdropOf(pixelsOf: { readonly data: Uint8Array; readonly channels: number }): string {
  const { data, channels } = pixelsOf;
  if (channels !== 4) return white;
  const pixels = data.length / 4;
  const step = Math.max(1, Math.floor(pixels / maxSamples));
  let [visible, bright, dark] = [0, 0, 0];
  for (let at = 0; at < pixels; at += step) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(4 * at, 4 * at + 4);
    if (alpha < 128) continue;
    const luminance = 0.299 * red + 0.587 * green + 0.114 * blue;
    visible += 1;
    if (luminance > 255 - hiddenWithin) bright += 1;
    if (luminance < hiddenWithin) dark += 1;
  }
  // Without a visible pixel there is nothing to hide.
  if (visible === 0 || bright <= maxHidden.byWhite * visible) return white;
  return dark > maxHidden.byBlack * visible ? grey : black;
}
