import { readNames } from './metadata-hints.js';
import type { UploadFiles } from './unpack.js';

const maxBytes = 2_000_000;

/** Names of classes in a file beside a model: a text with a name a line, or the `labels` of Teachable Machine. */
export function readLabelFiles(files: UploadFiles): string[] | undefined {
  for (const [name, bytes] of files) {
    if (bytes.length > maxBytes) continue;
    const text = Buffer.from(bytes).toString('utf8');
    if (/(labels?|classes|names|coco|dict)[^/]*\.txt$/i.test(name)) return readLines(text);
    if (/metadata\.json$/i.test(name)) return readMetadata(text);
    if (/(labels|classes|names)[^/]*\.json$/i.test(name)) return readNames(text);
  }
  return undefined;
}

/** One name a line; Teachable Machine puts its number before each. */
export function readLines(text: string): string[] | undefined {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  const numbered = lines.every((line, index) => line.startsWith(`${index} `) || line.startsWith(`${index}:`));
  const names = numbered ? lines.map((line) => line.replace(/^\d+[ :]\s*/, '')) : lines;
  return names.length > 0 ? names.map((name) => name.slice(0, 200)) : undefined;
}

function readMetadata(text: string): string[] | undefined {
  try {
    const content: unknown = JSON.parse(text);
    if (content === null || typeof content !== 'object' || !('labels' in content)) return undefined;
    return readNames(JSON.stringify(content.labels));
  } catch {
    return undefined;
  }
}
