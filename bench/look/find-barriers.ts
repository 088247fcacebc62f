import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Axe {
  run(
    where: string,
    options: object,
  ): Promise<{ violations: { id: string; impact: string | null; nodes: { html: string }[] }[] }>;
}

/**
 * What axe-core finds that is serious or critical: `rule: element`, one a line. `within` a selector, `rules` some alone: of a
 * page in other colours only its contrast is another.
 */
export async function findBarriers(
  page: Page,
  { within = 'html', rules }: { readonly within?: string; readonly rules?: readonly string[] } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in window'))) {
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    );
  }
  const options = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) };
  return page.evaluate(
    async ({ within, options }) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const { violations } = await axe.run(within, options);
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    },
    { within, options },
  );
}
