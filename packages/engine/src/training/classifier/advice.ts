import type { Label } from '../../catalog/manifest.js';
import type { ClassifierFigures, LearningPoint } from './classifier-report.js';

interface AdviceInput {
  readonly labels: readonly Label[];
  readonly figures: ClassifierFigures;
  readonly learningCurve: readonly LearningPoint[];
  readonly measuredOn: 'held-out' | 'cross-validation';
  readonly refused: number;
  /** Images to measure with whose bytes are among those trained on. */
  readonly leaked: readonly string[];
}

const fewImages = 5;
const roughImages = 20;
const goodRecall = 0.9;
const worthwhileGain = 0.01;
const maxSentences = 20;

/** What more images would help. */
export function adviseOn({ labels, figures, learningCurve }: AdviceInput): string[] {
  const title = (index: number) => `"${labels[index]?.title ?? index}"`;
  const perClass = figures.classes
    .filter(({ recall }) => recall !== null && recall < goodRecall)
    .sort((a, b) => (a.recall ?? 0) - (b.recall ?? 0))
    .map(({ label, trained, measured, recall }) => {
      const found = Math.round((recall ?? 0) * measured);
      const has = `${title(label)} has ${trained} images, and ${found} of ${measured} are recognised`;
      const row = figures.confusion?.[label] ?? [];
      const others = row.map((count, other) => (other === label ? 0 : count));
      const most = Math.max(0, ...others);
      if (most === 0) return `${has}: add images of it.`;
      const taken = `${most} ${most === 1 ? 'is' : 'are'} taken for ${title(others.indexOf(most))}`;
      return `${has}; ${taken}: add images of both that show the difference.`;
    });
  return [...perClass.slice(0, maxSentences), ...curveAdvice(learningCurve)];
}

function curveAdvice(curve: readonly LearningPoint[]): string[] {
  const half = curve.find(({ share }) => share === 0.5);
  const whole = curve.at(-1);
  if (!half || !whole || whole.images < 4) return [];
  const from = half.balancedAccuracy.toFixed(3);
  const to = whole.balancedAccuracy.toFixed(3);
  const steps = `${Math.round(half.images)} to ${Math.round(whole.images)} images: balanced accuracy ${from} to ${to}`;
  return whole.balancedAccuracy - half.balancedAccuracy >= worthwhileGain
    ? [`More images of every class will help (${steps}).`]
    : [`More images of the same kind will help little (${steps}).`];
}

/** What to know before relying on the figures. */
export function warnOf({ labels, figures, measuredOn, refused, leaked }: AdviceInput): string[] {
  const title = (index: number) => `"${labels[index]?.title ?? index}"`;
  const warnings: string[] = [];
  for (const { label, trained, measured } of figures.classes) {
    if (trained > 0 && trained < fewImages)
      warnings.push(`${title(label)} has only ${trained} images to train on; 10 are a good start.`);
    if (trained > 0 && measured === 0)
      warnings.push(
        `No image shows ${title(label)} among those measured with: nothing is known of how well it does.`,
      );
  }
  const counts = figures.classes.map(({ trained }) => trained).filter((count) => count > 0);
  if (Math.max(...counts) > 10 * Math.min(...counts))
    warnings.push('Some classes have more than ten times the images of others; add to the small ones.');
  if (figures.images < roughImages)
    warnings.push(`The figures are of ${figures.images} images and rough; see the interval.`);
  if (measuredOn === 'cross-validation')
    warnings.push('No images were held out: the figures are cross-validated and may be a little too good.');
  if (refused > 0)
    warnings.push(
      `${refused} images were left out: they did not open, or lack labels that an import could not read.`,
    );
  if (leaked.length > 0)
    warnings.push(
      `${leaked.length} images were held out and trained on as well, such as ${leaked[0]}: remove one of each.`,
    );
  return warnings.slice(0, maxSentences);
}
