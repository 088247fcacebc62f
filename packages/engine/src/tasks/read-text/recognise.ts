import { EngineError } from '../../errors.js';
import type { Image } from '../../image/image.js';
import { floatsOf, integersOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import { cutStrip, stripHeightOf } from './cut-strip.js';
import { decodeCtc } from './decode-ctc.js';
import { framed, readingStretch } from './reading-strip.js';
import { spellOut } from './spaces.js';
import type { TextRegion } from './text-regions.js';

export interface Reading {
  readonly text: string;
  /** Mean probability of its characters, 0 to 1; 0 for none. */
  readonly score: number;
}

/** What a region says, read in its direction. */
export async function recognise(image: Image, recogniser: LoadedModel, region: TextRegion): Promise<Reading> {
  const { alphabet } = recogniser.manifest;
  if (!alphabet) throw new EngineError('model-missing', `model ${recogniser.ref.id} has no alphabet`);
  const height = stripHeightOf(recogniser.manifest);
  const tensor = await cutStrip(image, framed(region), height, readingStretch);
  const outputs = await recogniser.run({ image: tensor });
  const classes = integersOf(recogniser, outputs, 'characters');
  const characters = decodeCtc(classes, floatsOf(recogniser, outputs, 'scores'), alphabet);
  const total = characters.reduce((sum, { score }) => sum + score, 0);
  return {
    text: spellOut(characters, outputs['spaces'] && floatsOf(recogniser, outputs, 'spaces')),
    score: characters.length === 0 ? 0 : total / characters.length,
  };
}
