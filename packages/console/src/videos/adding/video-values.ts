import limits from 'api-limits:VideoSettingsInput';
import type { RecognitionPart, VideoSettings, VideoSettingsInput } from '@lynceus/client';
import type { TFunction } from 'i18next';
import { isInLimits } from '../../kit/field-limits.js';

/** What is looked for. */
export interface SettingsValues {
  parts: string[];
  fps: number | string;
  namesPeople: boolean;
  /** Id; null: those of general recognition. */
  perception: string | null;
}

/** The fields of the form of a new video. */
export interface VideoValues extends SettingsValues {
  from: 'file' | 'address';
  address: string;
  name: string;
}

export const firstValues: VideoValues = {
  ...{ from: 'file', address: '', name: '', parts: ['objects'], fps: 2, namesPeople: false },
  perception: null,
};

/** The settings of a video, in the fields of a form. */
export function toSettingsValues({
  parts: chosen,
  fps,
  names_people: namesPeople,
  perception_id: perceptionId,
}: VideoSettings): SettingsValues {
  const perception = perceptionId === null ? null : String(perceptionId);
  return { parts: [...chosen], fps, namesPeople, perception };
}

/** What is wrong with the fields, in words. */
export const settingsRules = (t: TFunction) => ({
  parts: (chosen: string[]) => (chosen.length === 0 ? t('videos.adding.noParts') : null),
  fps: (fps: number | string) => (isInLimits(limits, 'fps', fps) ? null : t('videos.adding.fpsRange')),
});

export const parts = ['objects', 'faces', 'texts', 'classes'] as const satisfies readonly RecognitionPart[];

/** What the service is asked to look for. Names of people need their faces. */
export function toVideoSettings(values: SettingsValues): VideoSettingsInput {
  const { namesPeople, perception } = values;
  const chosen = parts.filter((part) => values.parts.includes(part) || (namesPeople && part === 'faces'));
  return {
    parts: chosen,
    fps: Number(values.fps),
    names_people: namesPeople,
    perception_id: namesPeople && perception !== null ? Number(perception) : null,
  };
}

export function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
