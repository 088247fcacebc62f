import type { RecognitionPart, VideoSettingsInput } from '@lynceus/client';

/** The fields of the form. */
export interface VideoValues {
  from: 'file' | 'address';
  address: string;
  name: string;
  parts: string[];
  fps: number | string;
  namesPeople: boolean;
  /** Id; empty: those of general recognition. */
  perception: string;
}

export const firstValues: VideoValues = {
  ...{ from: 'file', address: '', name: '', parts: ['objects'], fps: 2, namesPeople: false, perception: '' },
};

export const parts = ['objects', 'faces', 'texts', 'classes'] as const satisfies readonly RecognitionPart[];

/** What the service is asked to look for. Names of people need their faces. */
export function toVideoSettings(values: Omit<VideoValues, 'from'>): VideoSettingsInput {
  const { namesPeople, perception } = values;
  const chosen = parts.filter((part) => values.parts.includes(part) || (namesPeople && part === 'faces'));
  return {
    parts: chosen,
    fps: Number(values.fps),
    names_people: namesPeople,
    ...(namesPeople && perception !== '' ? { perception_id: Number(perception) } : {}),
  };
}

export function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
