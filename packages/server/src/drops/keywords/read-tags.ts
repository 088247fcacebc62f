import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { maxOutputChars } from './command-output.js';
import type { Exiftool } from './exiftool.js';
import { KeywordError } from './keyword-error.js';

/** Tags of a file by their names with groups, such as `XMP-dc:Subject`, and `XMP-dc:Copy1:Subject` of a second one. All values are text. */
export type Tags = Awaited<ReturnType<typeof readTags>>;

const Answer = Type.Tuple([Type.Record(Type.String(), Type.Unknown())]);

/**
 * Reads the tags that `args` ask for; what is not there is absent. Path: absolute. Throws `KeywordError` 'damaged' or
 * 'too-large', and as `Exiftool.run`.
 */
export async function readTags(
  exiftool: Exiftool,
  path: string,
  args: readonly string[],
  signal: AbortSignal,
) {
  // Numbers unquoted would lose how they were written: 1.50, 1e5 and 007 are keywords too.
  const { stdout, errors } = await exiftool.run(
    ['-j', '-G1:4', '-a', '-api', 'StructFormat=JSONQ', ...args, path],
    signal,
  );
  const answer = parse(stdout);
  if (!Value.Check(Answer, answer)) {
    if (stdout.length > maxOutputChars / 2) {
      throw new KeywordError('too-large', 'the keywords and captions of the file take more than 128 KiB');
    }
    throw new KeywordError(
      'damaged',
      `the metadata of the file cannot be read: ${errors[0] ?? 'unknown format'}`,
    );
  }
  const tags = Object.entries(answer[0]);
  const values = (matches: (name: string) => boolean) =>
    tags.filter(([name]) => matches(name)).flatMap(([, value]) => textsOf(value));
  return {
    /** Of all tags whose names match, in exiftool's order; a list gives each of its items. */
    values: (name: RegExp): string[] => values((candidate) => name.test(candidate)),
    first: (name: string): string | undefined => values((candidate) => candidate === name)[0],
    /** Names that match, with the first value of each. */
    matching: (name: RegExp): [name: string, value: string][] =>
      tags
        .filter(([candidate]) => name.test(candidate))
        .map(([candidate, value]) => [candidate, textsOf(value)[0] ?? '']),
    /** Names that match, once for each of their values. */
    entries: (name: RegExp): [name: string, value: string][] =>
      tags
        .filter(([candidate]) => name.test(candidate))
        .flatMap(([candidate, value]) => textsOf(value).map((text): [string, string] => [candidate, text])),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return typeof value === 'string' ? [value] : typeof value === 'object' ? [] : [String(value)];
}
