import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** `file:///…/chunk.mjs:12:34`, both from 1. */
const place = /(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)/;

/**
 * From now on stack traces of this thread name the sources of files that have a source map beside them. Node's own way reads
 * the map of every file at the start; this one when an error of the file is shown.
 */
export function nameSourcesInTraces(): void {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (url: string): SourceMap | null => {
    const known = maps.get(url);
    if (known !== undefined) return known;
    const read = readMap(url);
    maps.set(url, read);
    return read;
  };
  const name = (frame: string): string =>
    frame.replace(place, (found: string, url: string, line: string, column: string) => {
      const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!entry || !('originalSource' in entry)) return found;
      const source = new URL(entry.originalSource, url);
      // What no file is the source of, the bundler made.
      if (source.protocol !== 'file:') return found;
      return `${fileURLToPath(source)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    });
  const nameOrKeep = (frame: string): string => {
    try {
      return name(frame);
    } catch {
      // Whoever reads the stack of an error gets no other error instead.
      return frame;
    }
  };
  Error.prepareStackTrace = (error, frames) =>
    [titleOf(error), ...frames.map((frame) => `    at ${nameOrKeep(`${frame}`)}`)].join('\n');
}

function titleOf(error: unknown): string {
  try {
    // Others are given to `Error.captureStackTrace`.
    return error instanceof Error ? `${error}` : 'Error';
  } catch {
    return 'Error';
  }
}

function readMap(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')));
  } catch {
    // A file without one is shown as it is.
    return null;
  }
}
