import { type Static, Type } from 'typebox';

/** What keywords are made of, in the order in which they are written. */
const KeywordSource = Type.Enum(['names', 'objects', 'classes', 'texts', 'faces'], {
  title: 'DropKeywordSource',
});
export type KeywordSource = Static<typeof KeywordSource>;

const Confidence = Type.Number({ minimum: 0, maximum: 1, description: 'a number from 0 to 1' });

/** Which keywords a drop writes, and where. */
export const KeywordSettings = Type.Object(
  {
    sources: Type.Array(KeywordSource, {
      maxItems: 5,
      uniqueItems: true,
      description:
        'a list of names (of known faces), objects, classes, texts and faces (the keyword "face" where there is one)',
    }),
    minConfidence: Type.Object(
      {
        names: Confidence,
        objects: Confidence,
        classes: Confidence,
        texts: Confidence,
        faces: Confidence,
      },
      { additionalProperties: false, description: 'a number from 0 to 1 for each of the sources' },
    ),
    maxKeywords: Type.Integer({
      minimum: 0,
      maximum: 200,
      description: 'a number from 0 to 200: how many keywords are written, those found in the image aside',
    }),
    prefix: Type.String({
      maxLength: 20,
      description: 'at most 20 characters that stand before each keyword',
    }),
    lowerCase: Type.Boolean({ description: 'true to write all but names in lower case' }),
    rawFiles: Type.Union([Type.Literal('sidecar'), Type.Literal('embedded')], {
      description:
        '"sidecar" for an .xmp file beside a raw file, "embedded" to write into it where that is safe',
    }),
  },
  { additionalProperties: false },
);
export type KeywordSettings = Static<typeof KeywordSettings>;

export const defaultKeywordSettings: KeywordSettings = {
  sources: ['names', 'objects', 'classes', 'texts'],
  minConfidence: { names: 0.6, objects: 0.4, classes: 0.3, texts: 0.8, faces: 0.5 },
  maxKeywords: 30,
  prefix: '',
  lowerCase: false,
  rawFiles: 'sidecar',
};
