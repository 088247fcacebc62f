import { count } from './figures.js';

/**
 * Says that the model was trained on more images than the measured one.
 * @param lastFit Of the model; undefined in reports of before there was such a fit.
 * @param trained Images that the measured one was trained on.
 */
export function writeLastFit(lastFit: { readonly images: number } | undefined, trained: number): string {
  if (!lastFit || lastFit.images <= trained) return '';
  return ` The figures are of that training. The model itself was then trained on all ${count(lastFit.images, 'image')}.`;
}
