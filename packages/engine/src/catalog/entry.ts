import { type Static, Type } from 'typebox';
import { Recipe } from '../onnx/recipe.js';
import { Calibration, InputGeometry, ModelFamily } from './manifest.js';

/**
 * A model as the catalogue knows it: one JSON file in `packages/engine/models/`, or in `entries/` of the models
 * folder for a custom model. Unknown keys are refused, so that a misspelt one is noticed.
 */

const strict = { additionalProperties: false };
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Text = Type.String({ minLength: 1 });

const fileFacts = {
  /** Name of the file in the recipe. */
  name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$' }),
  sha256: Sha256,
  /** Exact size; nothing larger is ever read. */
  bytes: Type.Integer({ minimum: 1, maximum: 4 * 1024 ** 3 }),
};

/** Files of a package in an npm registry, fetched with npm's own settings for registry, proxy and credentials. */
const NpmSource = Type.Object(
  {
    kind: Type.Literal('npm'),
    package: Type.String({ pattern: '^(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$' }),
    version: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$' }),
    /** Of the package's tarball, as registries give it. */
    integrity: Type.String({ pattern: '^sha512-[A-Za-z0-9+/]{86}==$' }),
    /** `path` is inside the package. */
    files: Type.Array(Type.Object({ ...fileFacts, path: Text }, strict), { minItems: 1 }),
  },
  strict,
);

const HttpsSource = Type.Object(
  {
    kind: Type.Literal('https'),
    files: Type.Array(Type.Object({ ...fileFacts, url: Type.String({ pattern: '^https://' }) }, strict), {
      minItems: 1,
    }),
  },
  strict,
);

const FileSource = Type.Object(
  {
    kind: Type.Literal('file'),
    /** `path` is absolute, or relative to the entry's file. */
    files: Type.Array(Type.Object({ ...fileFacts, path: Text }, strict), { minItems: 1 }),
  },
  strict,
);

/**
 * A file that `models add` brought: it is recognised, converted and tried as an upload of an account is (`uploads/`), in a process
 * of its own.
 */
const UploadRecipe = Type.Object(
  {
    importer: Type.Literal('upload'),
    file: Text,
    /** Import options, which the conversion checks. */
    options: Type.Record(Type.String(), Type.Unknown()),
  },
  strict,
);
export type UploadRecipe = Static<typeof UploadRecipe>;

export type NpmSource = Static<typeof NpmSource>;
export type HttpsSource = Static<typeof HttpsSource>;
export type FileSource = Static<typeof FileSource>;
export type ModelSource = NpmSource | HttpsSource | FileSource;

/** A figure and how it was measured; it is meaningless without that. */
const Measured = Type.Object({ figure: Text, value: Text, how: Text }, strict);
export type Measured = Static<typeof Measured>;

/** Numbers of added models; 101 to 201 are those of shipped ones, models of accounts begin at 1001. */
export const modelNumbers = { first: 301, last: 999 } as const;

export const CatalogEntry = Type.Object(
  {
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
    title: Text,
    summary: Text,
    family: ModelFamily,
    /** Installed by `npm start`. */
    default: Type.Boolean(),
    source: Type.Union([NpmSource, HttpsSource, FileSource]),
    licence: Type.Object(
      {
        /** SPDX identifier that the distributor of the files states, or `unknown`. */
        stated: Text,
        /** Who states the licence, and for what. */
        by: Text,
        /** The licence itself, where the operator gave it. */
        text: Type.Optional(Type.String({ minLength: 1, maxLength: 200_000 })),
      },
      strict,
    ),
    /** What is known about the origin of the weights, and what is not: one sentence each. */
    provenance: Type.Object({ known: Type.Array(Text, { minItems: 1 }), unknown: Type.Array(Text) }, strict),
    /** For families with classes: a table in `labels/` beside the entry or in the shipped catalogue. */
    labels: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]*\\.json$' })),
    /** For a text recogniser: a source file with one character a line, and further characters of the net. */
    alphabet: Type.Optional(Type.Object({ file: Type.String(), append: Type.Array(Text) }, strict)),
    input: InputGeometry,
    recipe: Type.Union([Recipe, UploadRecipe]),
    /** Number by which v1 and v2 name an added model; it is never given to another one. */
    modelId: Type.Optional(Type.Integer({ minimum: modelNumbers.first, maximum: modelNumbers.last })),
    calibration: Type.Optional(Calibration),
    temperature: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    measured: Type.Array(Measured),
  },
  strict,
);
export type CatalogEntry = Static<typeof CatalogEntry>;
