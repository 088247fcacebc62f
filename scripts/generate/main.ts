import { parseArgs } from 'node:util';
import { writeApiDocument } from './api-document.js';
import { printLicences } from './licences.js';
import { takeScreenshots } from './screenshots.js';
import { writeSettingsPage } from './settings-page.js';

const usage = `npm run generate -- WHAT

  api          writes the OpenAPI document, docs/rights.md and what the client has of the document
  settings     writes docs/settings.md
  screenshots  takes the images of docs/images/; --only faces: one of them
  licences     lists the packages that ship, by licence`;

async function generate(words: readonly string[]): Promise<void> {
  const [what, ...rest] = words;
  switch (what) {
    case 'api':
      return writeApiDocument();
    case 'settings':
      return writeSettingsPage();
    case 'screenshots':
      return takeScreenshots(parseArgs({ args: rest, options: { only: { type: 'string' } } }).values);
    case 'licences':
      return printLicences();
    default:
      throw new Error(usage);
  }
}

await generate(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
