import { textLanguages } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { recognitionParts } from '../recognition/parts.js';

const maxZones = 32;

/** Corners in fractions of the image, from 0 to 1; x to the right, y down. */
const Polygon = Type.Array(
  Type.Tuple([Type.Number({ minimum: 0, maximum: 1 }), Type.Number({ minimum: 0, maximum: 1 })]),
  {
    minItems: 3,
    maxItems: 64,
    description: 'a list of three or more corners [x, y] in fractions of the image, from 0 to 1',
  },
);

const Label = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'a class of the model, such as "person"',
});

const ClassFilter = Type.Object(
  {
    label: Label,
    minScore: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'a score from 0 to 1; min_score of the settings unless given',
    }),
    minArea: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'the smallest box as a fraction of the image, from 0 to 1; 0 unless given',
    }),
  },
  { additionalProperties: false },
);

const Zone = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 60, description: 'a name of 1 to 60 characters' }),
    polygon: Polygon,
    classes: Type.Array(Label, {
      maxItems: 100,
      description: 'classes that can enter the zone; none, or left out, for all',
    }),
  },
  { additionalProperties: false },
);

export const classList = {
  maxItems: 200,
  description: 'the classes that are followed; none for all of the model',
};
export const zoneList = { maxItems: maxZones, description: `at most ${maxZones} zones` };

const TimeOfDay = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'a time such as 07:30',
});

const Hours = Type.Object(
  {
    days: Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), {
      minItems: 1,
      maxItems: 7,
      uniqueItems: true,
      description: 'days of the week, 0 for Sunday to 6',
    }),
    from: TimeOfDay,
    /** Before `from`: on the next day. */
    to: TimeOfDay,
  },
  { additionalProperties: false },
);

/** What is looked for in the frames of a stream, and what is kept of it. */
export const StreamSettings = Type.Object(
  {
    fps: Type.Number({
      minimum: 0.1,
      maximum: 15,
      description: 'frames a second to analyse, from 0.1 to 15',
    }),
    keyFramesOnly: Type.Boolean({
      description: 'true to decode key frames alone, which costs least; fps is the most then',
    }),
    maxWidth: Type.Integer({
      minimum: 320,
      maximum: 3840,
      description: 'the width in pixels, from 320 to 3840, to which wider frames are reduced',
    }),
    modelReference: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
      description: 'the number or UID of a detector; null for that of the service',
    }),
    parts: Type.Array(
      Type.Enum([...recognitionParts], {
        title: 'RecognitionPart',
        description: 'what general recognition may look for',
      }),
      {
        minItems: 1,
        maxItems: recognitionParts.length,
        uniqueItems: true,
        description: `what is looked for: a list of ${recognitionParts.join(', ')}`,
      },
    ),
    textLanguages: Type.Array(
      Type.Enum([...textLanguages], {
        title: 'TextLanguage',
        description: 'a language that text can be read in, by ISO 639-1',
      }),
      {
        maxItems: textLanguages.length,
        uniqueItems: true,
        description: 'languages of the text; none for those of the service',
      },
    ),
    /** Off until somebody switches it on: it makes people known by their faces. */
    namesPeople: Type.Boolean({
      description: 'true to name people by the faces of a perception, which their consent may be needed for',
    }),
    perceptionId: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description:
        'the perception that names come from; null for those that name people in general recognition',
    }),
    classes: Type.Array(ClassFilter, classList),
    minScore: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'the score from 0 to 1 from which objects of other classes are followed',
    }),
    zones: Type.Array(Zone, zoneList),
    masks: Type.Array(Polygon, { maxItems: maxZones, description: `at most ${maxZones} areas to leave out` }),
    motionGate: Type.Boolean({
      description: 'true to analyse only while something moves, and now and then',
    }),
    motionMinArea: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'the fraction of the image that must change to count as motion, from 0 to 1',
    }),
    stationaryAfterSeconds: Type.Integer({
      minimum: 1,
      maximum: 3600,
      description: 'seconds without moving after which an object is stationary',
    }),
    schedule: Type.Array(Hours, { maxItems: 50, description: 'when the stream runs; none for always' }),
    timeZone: Type.String({
      minLength: 1,
      maxLength: 60,
      description: 'the time zone of the schedule, such as Europe/Berlin',
    }),
    snapshots: Type.Boolean({ description: 'true to keep the best frame of each object' }),
    clips: Type.Boolean({ description: 'true to keep a clip of each object' }),
    clipSecondsBefore: Type.Integer({
      minimum: 0,
      maximum: 30,
      description: 'seconds before the object appears',
    }),
    clipSecondsAfter: Type.Integer({ minimum: 0, maximum: 60, description: 'seconds after it is gone' }),
    clipMaxSeconds: Type.Integer({ minimum: 5, maximum: 600, description: 'the longest clip in seconds' }),
    keepDays: Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()], {
      description: 'days for which events, snapshots and clips are kept; null for those of the service',
    }),
  },
  { additionalProperties: false },
);
export type StreamSettings = Static<typeof StreamSettings>;
/** Lists of streams read the settings of each: with many polygons it is a hundredth of the time of a check that is not compiled. */
export const compiledStreamSettings = Compile(StreamSettings);

export const defaultStreamSettings: StreamSettings = {
  fps: 5,
  keyFramesOnly: false,
  maxWidth: 1280,
  modelReference: null,
  parts: ['objects'],
  textLanguages: [],
  namesPeople: false,
  perceptionId: null,
  classes: [],
  minScore: 0.5,
  zones: [],
  masks: [],
  motionGate: true,
  motionMinArea: 0.002,
  stationaryAfterSeconds: 10,
  schedule: [],
  timeZone: 'UTC',
  snapshots: true,
  clips: false,
  clipSecondsBefore: 5,
  clipSecondsAfter: 5,
  clipMaxSeconds: 60,
  keepDays: null,
};

/** Settings as a row has them; what is newer than the row is as usual. */
export function readStreamSettings(text: string): StreamSettings {
  return compiledStreamSettings.Parse({ ...defaultStreamSettings, ...JSON.parse(text) });
}
