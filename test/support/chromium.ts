import { existsSync } from 'node:fs';

/** Where Debian puts it. */
export const chromiumPath = '/usr/bin/chromium';

/** Whether Chromium is on this machine. Where CI is set it must be, and a test without it fails. */
export function haveChromium(): boolean {
  if (existsSync(chromiumPath) || process.env['CI'] === 'true') return true;
  console.warn(`skipped: there is no ${chromiumPath} (apt-get install chromium)`);
  return false;
}
