import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatSettingsPage, settingsPagePath } from '#generate/settings-page.js';

test('docs/settings.md describes every setting as it is; npm run generate -- settings writes it', () => {
  expect(readFileSync(settingsPagePath, 'utf8')).toBe(formatSettingsPage());
});
