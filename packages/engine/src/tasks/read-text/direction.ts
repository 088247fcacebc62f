import type { Image } from '../../image/image.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import { cutStrip, stripHeightOf } from './cut-strip.js';
import { type Strip, turnStrip } from './strip.js';
import type { TextRegion } from './text-regions.js';

/** A strip this much higher than wide has a rotated line. */
const tallAspect = 1.5;
/** The classifier errs on short words, so it judges the longest strips, and jointly. */
const maxVoters = 7;
/** The middle of a long strip is used, as wide as this many heights: the classifier was trained so. */
const maxVoterAspect = 4;

/**
 * Rotates every region so that it runs along its text. Lines of an image with the same orientation are upside down
 * together: one vote of the longest decides for the horizontal ones, one for the vertical ones. Regions about as wide as
 * high follow the majority.
 */
export async function faceUpright(
  image: Image,
  classifier: LoadedModel,
  regions: readonly TextRegion[],
): Promise<TextRegion[]> {
  const isTall = ({ strip }: TextRegion) => strip.height > tallAspect * strip.width;
  const isWide = ({ strip }: TextRegion) => strip.width > tallAspect * strip.height;
  const mostAreTall = lengthOf(regions.filter(isTall)) > lengthOf(regions.filter(isWide));
  const stands = (region: TextRegion) => isTall(region) || (mostAreTall && !isWide(region));
  const flat = regions.filter((region) => !stands(region));
  const standing = regions.filter(stands).map((region) => turned(region, 1));
  return [
    ...(await turnIfUpsideDown(image, classifier, flat)),
    ...(await turnIfUpsideDown(image, classifier, standing)),
  ];
}

async function turnIfUpsideDown(
  image: Image,
  classifier: LoadedModel,
  regions: readonly TextRegion[],
): Promise<readonly TextRegion[]> {
  const voters = regions
    .map(({ strip }) => strip)
    .sort((a, b) => Math.min(b.width, 4 * b.height) - Math.min(a.width, 4 * a.height))
    .slice(0, maxVoters);
  let vote = 0;
  for (const strip of voters) vote += (await upsideDown(image, classifier, strip)) - 0.5;
  return vote > 0 ? regions.map((region) => turned(region, 2)) : regions;
}

async function upsideDown(image: Image, classifier: LoadedModel, strip: Strip): Promise<number> {
  const height = stripHeightOf(classifier.manifest);
  const part = { ...strip, width: Math.min(strip.width, maxVoterAspect * strip.height) };
  const tensor = await cutStrip(image, part, height, 1);
  const outputs = await classifier.run({ image: tensor });
  return floatsOf(classifier, outputs, 'upside_down')[0] ?? 0;
}

function turned(region: TextRegion, quarters: number): TextRegion {
  return { ...region, strip: turnStrip(region.strip, quarters) };
}

function lengthOf(regions: readonly TextRegion[]): number {
  return regions.reduce((sum, { strip }) => sum + Math.max(strip.width, strip.height), 0);
}
