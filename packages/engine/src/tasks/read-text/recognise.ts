import { EngineError } from '../../errors.js';
import type { Picture } from '../../image/picture.js';
import { floatsOf, integersOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import { cutStrip } from './cut-strip.js';
import { decodeCtc } from './decode-ctc.js';
import { spellOut } from './spaces.js';
import type { Strip } from './strip.js';
import type { TextRegion } from './text-regions.js';

/**
 * Wider than the strip's shape says: the recogniser leaves out spaces that it sees as narrow. Measured on rendered lines
 * of 12 to 48 px: characters in error .034 as cut, .012 with this and `framed`.
 */
const stretch = 1.15;

export interface Reading {
  readonly text: string;
  /** Mean probability of its characters, 0 to 1; 0 for none. */
  readonly score: number;
}

/** What a region says, read in its direction. */
export async function recognise(
  picture: Picture,
  recogniser: LoadedModel,
  region: TextRegion,
): Promise<Reading> {
  const { input, alphabet } = recogniser.manifest;
  if (!alphabet) throw new EngineError('model-missing', `model ${recogniser.ref.id} has no alphabet`);
  const height = input.fit === 'strip' ? input.height : 48;
  const image = await cutStrip(picture, framed(region), height, stretch);
  const outputs = await recogniser.run({ image });
  const classes = integersOf(recogniser, outputs, 'characters');
  const characters = decodeCtc(classes, floatsOf(recogniser, outputs, 'scores'), alphabet);
  const total = characters.reduce((sum, { score }) => sum + score, 0);
  return {
    text: spellOut(characters, outputs['spaces'] && floatsOf(recogniser, outputs, 'spaces')),
    score: characters.length === 0 ? 0 : total / characters.length,
  };
}

/**
 * The strip with as much background above and below as the recogniser reads best with. The detector's own frame is loose
 * around letters that it saw small and tight around large ones, so that the margin grows with the height it saw.
 */
function framed({ strip, seenHeightPx }: TextRegion): Strip {
  const factor = Math.min(Math.max(1.7 - 5 / seenHeightPx, 0.75), 1.5);
  return {
    ...strip,
    height: strip.height * factor,
    width: strip.width + strip.height * Math.max(0, factor - 1),
  };
}
