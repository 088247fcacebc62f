import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ServiceError } from '../../core/service-error.js';
import { enrolmentProblems } from '../perception.js';

/**
 * An archive is a plain tar file, in this order: `perception.json`; `people/N.json`, lists of people;
 * `corrections/N.json`; for each image `images/N.json` and `images/N.image`; and `end.json`, without which the archive
 * was cut. Numbers of people hold within the archive alone.
 */
export const archiveFormat = 'lynceus-perception';
export const archiveVersion = 3;
/**
 * Version 1 differs in names: `images/N.picture`, and the problem `same-picture`. Version 2 has neither the problems `covered` and
 * `unlike-own-images` nor their measures.
 */
const readVersions = [Type.Literal(1), Type.Literal(2), Type.Literal(archiveVersion)];

/** Of a member that is a list, which is parsed element by element. */
export const maxListBytes = 4 * 1024 * 1024;
/** Of any other member but an image: it is parsed at once, in a few milliseconds. */
export const maxRecordBytes = 80 * 1024;
/** People, or corrections, in one member. */
export const recordsInMember = 500;

const Name = Type.String({ minLength: 1, maxLength: 800 });
/** Milliseconds since 1970, to the end of the year 9999: what a date can express. */
const Time = Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Finite = Type.Number({ minimum: -1e9, maximum: 1e9 });
const Point = Type.Object({ x: Finite, y: Finite });
const Problems = Type.Union(
  [...enrolmentProblems, 'same-picture' as const].map((problem) => Type.Literal(problem)),
);
const Vector = Type.String({ minLength: 8, maxLength: 65_536, pattern: '^[A-Za-z0-9+/]+={0,2}$' });

export const ArchivedPerception = Type.Object({
  format: Type.Literal(archiveFormat),
  formatVersion: Type.Union(readVersions),
  name: Name,
  decisionSimilarity: Type.Number({ minimum: 0, maximum: 1 }),
  wantsLiveness: Type.Boolean(),
  namesRecognition: Type.Boolean(),
  refusedProblems: Type.Array(Problems, { maxItems: 100 }),
  calibration: Type.Union([
    Type.Null(),
    Type.Object({
      midpoint: Type.Number({ minimum: -1, maximum: 1 }),
      slope: Type.Number({ exclusiveMinimum: 0, maximum: 1e4 }),
    }),
  ]),
  /** The model of the vectors, with its version. */
  embedder: Type.String({ minLength: 1, maxLength: 200 }),
  images: Count,
});

export const ArchivedPerson = Type.Object({
  person: Count,
  name: Name,
  keyId: Type.Union([Type.Null(), Name]),
  createdAt: Time,
});

export const ArchivedCorrection = Type.Object({ person: Count, vector: Vector });

export const ArchivedImage = Type.Object({
  person: Count,
  keyId: Type.Union([Type.Null(), Name]),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  vector: Vector,
  createdAt: Time,
  face: Type.Object({
    width: Type.Integer({ minimum: 1, maximum: 1e6 }),
    height: Type.Integer({ minimum: 1, maximum: 1e6 }),
    box: Type.Object({ xMin: Finite, yMin: Finite, xMax: Finite, yMax: Finite }),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    points: Type.Tuple([Point, Point, Point, Point, Point]),
    quality: Type.Object({
      sizePx: Finite,
      sharpness: Finite,
      // Absent from exports of faces that were embedded by earlier programs.
      directionalSharpness: Type.Optional(Finite),
      coverage: Type.Optional(Finite),
      doubt: Type.Optional(Finite),
      yawDeg: Finite,
      pitchDeg: Finite,
      rollDeg: Finite,
      brightness: Finite,
      problems: Type.Array(
        Type.Union([
          Type.Literal('too-small'),
          Type.Literal('landmarks-implausible'),
          Type.Literal('blurred'),
          Type.Literal('covered'),
          Type.Literal('turned-away'),
          Type.Literal('too-dark'),
          Type.Literal('too-bright'),
        ]),
        { maxItems: 7 },
      ),
    }),
  }),
});
export type ArchivedImage = Static<typeof ArchivedImage>;

export const ArchiveEnd = Type.Object({
  people: Count,
  images: Count,
  /** Images of the perception that are not in the archive. */
  leftOut: Type.Optional(Count),
});

/** Throws `bad_request` for a member that is not as an export writes it. */
export function parseMember<T extends TSchema>(schema: T, name: string, bytes: Uint8Array): Static<T> {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw refuseArchive(`its ${name} is no JSON`);
  }
  if (!Value.Check(schema, content)) throw refuseArchive(`its ${name} is not as an export writes it`);
  // Nothing but what the schema names.
  return Value.Clean(schema, content) as Static<T>;
}

export function refuseArchive(reason: string, cause?: unknown): ServiceError {
  return new ServiceError('bad_request', `the archive cannot be imported: ${reason}`, { cause });
}
