import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { request } from 'undici';

export interface PageToMeasure {
  readonly path: string;
  /** Uses what the page is there for as soon as it can be used, and resolves when it has answered. */
  readonly use: (page: Page) => Promise<unknown>;
}

export interface PageFigures {
  readonly firstPaintMs: number;
  /** From the navigation to the answer of the main control. */
  readonly usableMs: number;
  /** What tasks of more than 50 ms took above these, until then. */
  readonly blockedMs: number;
  readonly scripts: number;
  /** Compressed by gzip, whatever the browser asked for. */
  readonly scriptBytes: number;
  readonly requests: number;
  /** All that came, compressed as the browser got it. */
  readonly bytes: number;
}

/** Before the page's own scripts: long tasks are told from here on. */
const watchTasks = `
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });`;

/** A page as somebody sees it who comes for the first time: in a window of its own, with nothing in its cache. */
export async function measurePage(
  browser: Browser,
  url: string,
  { path, use }: PageToMeasure,
  options: BrowserContextOptions = {},
): Promise<PageFigures> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  try {
    await context.addInitScript(watchTasks);
    const page = await context.newPage();
    const scripts: string[] = [];
    let requests = 0;
    let bytes = 0;
    page.on('requestfinished', async (finished) => {
      if (finished.resourceType() === 'eventsource') return;
      requests += 1;
      if (finished.url().endsWith('.js')) scripts.push(finished.url());
      const sizes = await finished.sizes().catch(() => null);
      bytes += sizes === null ? 0 : sizes.responseBodySize + sizes.responseHeadersSize;
    });
    const startedAt = performance.now();
    await page.goto(url + path, { waitUntil: 'commit' });
    await use(page);
    const usableMs = performance.now() - startedAt;
    const timings = await page.evaluate<{ firstPaintMs: number; blockedMs: number }>(`({
      firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      blockedMs: longTasks.reduce((sum, ms) => sum + ms - 50, 0),
    })`);
    // What is fetched after the page can be used counts as well.
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(scripts.map(gzipBytes));
    return {
      ...timings,
      usableMs,
      scripts: scripts.length,
      scriptBytes: sizes.reduce((sum, size) => sum + size, 0),
      requests,
      bytes,
    };
  } finally {
    await context.close();
  }
}

async function gzipBytes(url: string): Promise<number> {
  const { body } = await request(url, { headers: { 'accept-encoding': 'gzip' } });
  return (await body.arrayBuffer()).byteLength;
}
