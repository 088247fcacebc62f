import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { defaultStreamSettings, StreamSettings } from '../stream-settings.js';

const { fps, maxWidth, modelReference, parts, textLanguages, namesPeople, perceptionId, classes, minScore } =
  StreamSettings.properties;

/** What is looked for in the frames of a video. */
export const VideoSettings = Type.Object(
  { fps, maxWidth, modelReference, parts, textLanguages, namesPeople, perceptionId, classes, minScore },
  { additionalProperties: false },
);
/** Interpreting it takes a millisecond of a row with many entries, and a page has a hundred. */
const compiled = Compile(VideoSettings);
export type VideoSettings = Static<typeof VideoSettings>;

export const defaultVideoSettings: VideoSettings = {
  fps: 2,
  maxWidth: defaultStreamSettings.maxWidth,
  modelReference: null,
  parts: ['objects'],
  textLanguages: [],
  namesPeople: false,
  perceptionId: null,
  classes: [],
  minScore: defaultStreamSettings.minScore,
};

/** Settings with a change, field by field; what it leaves out stays. */
export function mergeVideoSettings(old: VideoSettings, change: Partial<VideoSettings>): VideoSettings {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...old, ...given };
}

/** Settings as a row has them; what is newer than the row is as usual. */
export function readVideoSettings(text: string): VideoSettings {
  return compiled.Parse({ ...defaultVideoSettings, ...JSON.parse(text) });
}
