import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { request } from 'undici';

export interface PageToMeasure {
  readonly path: string;
  /** Uses the main control as soon as possible, and resolves when it has answered. */
  readonly use: (page: Page) => Promise<unknown>;
}

export interface PageFigures {
  readonly firstPaintMs: number;
  /** From the navigation to the answer of the main control. */
  readonly usableMs: number;
  /** Total blocking time until then: the time of tasks above 50 ms. */
  readonly blockedMs: number;
  readonly scripts: number;
  /** Compressed by gzip, whatever the browser asked for. */
  readonly scriptBytes: number;
  readonly requests: number;
  /** All bytes, compressed as the browser received them. */
  readonly bytes: number;
}

/** Before the page's own scripts: long tasks are recorded from here on. */
const watchTasks = `
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });`;

/** A page as on a first visit: in a window of its own, with an empty cache. */
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
    // Later requests count as well.
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
