import { chromium } from 'playwright-core';
import { startService } from '../service.js';
import { signIn } from '../sign-in.js';
import { formatTable } from '../table.js';
import { camerasPage, eventsPage, firstPage, signInPage } from './first-pages.js';
import { measurePage, type PageFigures } from './measure-page.js';

/** Where Debian puts it. */
const chromiumPath = '/usr/bin/chromium';
/** Of script by gzip, and until a page answers, on the machine that serves it. */
export const limits = { scriptBytes: 300_000, usableMs: 2000 };

/** The first pages of the web account as on a first visit; medians. */
export async function runConsoleSpeed({ rounds }: { readonly rounds: number }): Promise<void> {
  const service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '1' });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  try {
    const storageState = await signIn(browser, service);
    const rows: string[][] = [];
    const broken: string[] = [];
    for (const [name, shown, options] of [
      ['/ signed in', firstPage, { storageState }],
      ['/streams', camerasPage, { storageState }],
      ['/stream-events', eventsPage, { storageState }],
      ['/sign-in', signInPage, {}],
    ] as const) {
      const measured: PageFigures[] = [];
      for (let round = 0; round < rounds; round += 1) {
        measured.push(await measurePage(browser, service.url, shown, options));
      }
      const of = (figure: keyof PageFigures) => medianOf(measured.map((each) => each[figure]));
      rows.push([
        name,
        of('firstPaintMs').toFixed(0),
        of('usableMs').toFixed(0),
        of('blockedMs').toFixed(0),
        String(of('scripts')),
        (of('scriptBytes') / 1000).toFixed(0),
        String(of('requests')),
        (of('bytes') / 1000).toFixed(0),
      ]);
      if (of('scriptBytes') > limits.scriptBytes) broken.push(`${name}: script above 300 kB`);
      if (of('usableMs') > limits.usableMs) broken.push(`${name}: more than 2 s until it answers`);
    }
    console.log(
      formatTable([
        [
          'page',
          'first paint, ms',
          'answers, ms',
          'blocked, ms',
          'scripts',
          'script, kB gzip',
          'requests',
          'kB',
        ],
        ...rows,
      ]),
    );
    if (broken.length > 0) throw new Error(broken.join('; '));
  } finally {
    await browser.close();
    await service.stop();
  }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
