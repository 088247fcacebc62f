import type { SettingInForce } from '@lynceus/client';

/** Those that have every word in their name, variable or description, whatever the case. */
export function findSettings(
  settings: readonly SettingInForce[],
  search: string,
  isSetAlone: boolean,
): readonly SettingInForce[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ name, variable, description, source }) => {
    const text = `${name} ${variable} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word)) && (!isSetAlone || source !== 'default');
  });
}
