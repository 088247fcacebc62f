import limits from 'api-limits:StreamSettingsInput';
import type { Stream, StreamClassFilter, StreamSettings } from '@lynceus/client';
import { isInLimits } from '../../kit/field-limits.js';

/** What is looked for in the frames of a stream, and how often. */
export type LookValues = Pick<
  StreamSettings,
  | ('model_id' | 'parts' | 'classes' | 'min_score' | 'names_people' | 'perception_id' | 'text_languages')
  | ('fps' | 'max_width' | 'key_frames_only' | 'motion_gate' | 'motion_min_area')
  | 'stationary_after_seconds'
>;

/** As the service has them for a new stream. */
export const usualLook: LookValues = {
  model_id: null,
  parts: ['objects'],
  classes: [],
  min_score: 0.5,
  names_people: false,
  perception_id: null,
  text_languages: [],
  fps: 5,
  max_width: 1280,
  key_frames_only: false,
  motion_gate: true,
  motion_min_area: 0.002,
  stationary_after_seconds: 10,
};

export function lookOf(settings: Stream['settings']): LookValues {
  const { model_id, parts, classes, min_score, names_people, perception_id, text_languages } = settings;
  const { fps, max_width, key_frames_only, motion_gate, motion_min_area, stationary_after_seconds } =
    settings;
  return {
    ...{ model_id, parts, classes, min_score, names_people, perception_id, text_languages },
    ...{ fps, max_width, key_frames_only, motion_gate, motion_min_area, stationary_after_seconds },
  };
}

/** The fields that hold a number. */
const numberFields = ['fps', 'max_width', 'stationary_after_seconds'] as const;
export type NumberField = (typeof numberFields)[number];

/** Numbers that the service would refuse. An empty field is not a number. */
export function wrongNumbers(values: Readonly<Record<NumberField, unknown>>): readonly NumberField[] {
  return numberFields.filter((name) => !isInLimits(limits, name, values[name]));
}

/** The classes of these labels: those that were there keep their scores. */
export function withLabels(
  classes: readonly StreamClassFilter[],
  labels: readonly string[],
  minScore: number,
): readonly StreamClassFilter[] {
  return labels.map(
    (label) => classes.find((each) => each.label === label) ?? { label, min_score: minScore, min_area: 0 },
  );
}

export function withClass(
  classes: readonly StreamClassFilter[],
  label: string,
  change: Partial<StreamClassFilter>,
): readonly StreamClassFilter[] {
  return classes.map((each) => (each.label === label ? { ...each, ...change } : each));
}
