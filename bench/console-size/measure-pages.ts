import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { seeded } from './seed.js';
import { seededStreams } from './seed-streams.js';

interface Step {
  readonly name: string;
  /** Navigates, and resolves when the page is ready. */
  readonly action: (page: Page) => Promise<unknown>;
}

export interface StepFigures {
  readonly name: string;
  readonly requests: number;
  readonly slowestMs: number;
  readonly slowest: string;
  /** The longest task of the page, which blocks it. */
  readonly longestTaskMs: number;
  /** In the page at the end. */
  readonly elements: number;
  readonly heldMs: number | null;
}

const watchTasks = `
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });`;

/** Of one step: a long list is read page by page. */
const timeoutMs = 240_000;

/** Scrolls by the wheel until the text is visible, or up to a limit. */
async function scrollTo(page: Page, text: string, scrolls = 4000): Promise<void> {
  const wanted = page.getByText(text, { exact: true }).first();
  for (let scroll = 0; scroll < scrolls; scroll += 1) {
    if (await wanted.isVisible()) return;
    await page.mouse.wheel(0, 3000);
    // At the speed of a user.
    await page.waitForTimeout(50);
  }
  throw new Error(`${text} did not come into sight`);
}

const type = (page: Page, text: string) => page.getByRole('searchbox').first().fill(text);

/** Pages of a large account, and what a user does there. */
export function stepsOf({
  people,
  datasetImages,
}: {
  people: number;
  datasetImages: number;
}): readonly Step[] {
  const { perceptionId, personId, datasetId, dropId } = seeded;
  const go = (path: string, text: string) => async (page: Page) => {
    await page.goto(new URL(path, page.url()).href);
    await page.getByText(text, { exact: true }).first().waitFor();
  };
  return [
    { name: 'people', action: go(`/faces/${perceptionId}`, `Person ${people - 1}`) },
    { name: 'people, 1000 farther', action: (page) => scrollTo(page, `Person ${people - 1000}`) },
    {
      name: 'people, search',
      action: async (page) => {
        await type(page, `person ${people - 7}`);
        await page.getByRole('link', { name: `Person ${people - 7}` }).waitFor();
      },
    },
    { name: 'a person', action: go(`/faces/${perceptionId}/people/${personId}`, 'Person 0') },
    { name: 'dataset', action: go(`/datasets/${datasetId}`, `IMG_${datasetImages - 1}.jpg`) },
    { name: 'dataset, to its end', action: (page) => scrollTo(page, 'IMG_0.jpg') },
    {
      name: 'files',
      action: async (page) => {
        await page.goto(new URL('/files', page.url()).href);
        await page.getByRole('row').nth(10).waitFor();
      },
    },
    {
      name: 'files, twenty pages on',
      action: async (page) => {
        for (let number = 2; number <= 20; number += 1) {
          await page.getByRole('button', { name: 'Older' }).click();
          await page.getByText(`Page ${number}`, { exact: true }).waitFor();
        }
      },
    },
    {
      name: 'files, search for nothing there',
      action: async (page) => {
        await type(page, 'found-nowhere');
        await page.getByRole('row').first().waitFor({ state: 'detached' });
      },
    },
    { name: 'cameras', action: go('/streams', 'Camera 0') },
    { name: 'a camera', action: go(`/streams/${seededStreams.streamId}`, 'Last events') },
    {
      name: 'events of cameras, ten pages on',
      action: async (page) => {
        await page.goto(new URL('/stream-events', page.url()).href);
        await page.getByRole('row').nth(10).waitFor();
        for (let number = 2; number <= 10; number += 1) {
          await page.getByRole('button', { name: 'Older' }).click();
          await page.getByText(`Page ${number}`, { exact: true }).waitFor();
        }
      },
    },
    { name: 'usage', action: go('/usage', 'Usage') },
    { name: 'log', action: go('/account/log', 'Log') },
    { name: 'files of a drop', action: go(`/drops/${dropId}`, 'IMG_0.JPG') },
    {
      name: 'files of a drop, search',
      action: async (page) => {
        await type(page, '999');
        await page.getByText('IMG_999.JPG').waitFor();
      },
    },
  ];
}

/** Visits the pages of the web account in one window; `readHeldMs` returns how long the service was blocked meanwhile. */
export async function measurePages(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
  steps: readonly Step[],
  readHeldMs: () => Promise<number | null> = async () => null,
): Promise<readonly StepFigures[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  try {
    await context.addInitScript(watchTasks);
    const page = await context.newPage();
    page.setDefaultTimeout(timeoutMs);
    let answered: { readonly path: string; readonly ms: number }[] = [];
    page.on('requestfinished', (request) => {
      const { pathname, search } = new URL(request.url());
      if (!pathname.startsWith('/api/') || request.resourceType() === 'eventsource') return;
      const { requestStart, responseEnd } = request.timing();
      answered.push({ path: pathname + search.slice(0, 60), ms: responseEnd - requestStart });
    });
    await page.goto(url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const figures: StepFigures[] = [];
    for (const { name, action } of steps) {
      answered = [];
      await readHeldMs();
      await page.evaluate('longTasks.length = 0');
      await action(page);
      const slowest = answered.toSorted((one, other) => other.ms - one.ms)[0];
      const [longestTaskMs = 0, elements = 0] = await page.evaluate<number[]>(
        `[Math.max(0, ...longTasks), document.querySelectorAll('*').length]`,
      );
      figures.push({
        name,
        requests: answered.length,
        slowestMs: slowest?.ms ?? 0,
        slowest: slowest?.path ?? '',
        longestTaskMs,
        elements,
        heldMs: await readHeldMs(),
      });
    }
    return figures;
  } finally {
    await context.close();
  }
}
