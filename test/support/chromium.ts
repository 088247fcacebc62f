import { existsSync } from 'node:fs';

const whole = '/usr/bin/chromium';
/** Without the windows and toolbars that nobody sees: a fifth of the CPU less. */
const withoutWindows = '/usr/bin/chromium-headless-shell';

/** Where Debian puts it. */
export const chromiumPath = existsSync(withoutWindows) ? withoutWindows : whole;

/** Whether Chromium is on this machine. Where CI is set it must be, and a test without it fails. */
export function haveChromium(): boolean {
  if (existsSync(chromiumPath) || process.env['CI'] === 'true') return true;
  console.warn(`skipped: there is no ${chromiumPath} (apt-get install chromium)`);
  return false;
}
