import { parse } from 'yaml';

/** Characters: a megabyte of nothing but brackets takes ten seconds, in a process that may be ended. */
export const maxYamlLength = 1_000_000;
/** Brackets in brackets. Files of labels have three. */
const maxDepth = 100;
/** Anchors and tags, each of which is compared with those before it. */
const maxProperties = 1000;

/**
 * Reads a file of YAML from outside. Throws an error whose message completes "NAME …" for one that is not YAML, or whose reading would
 * cost too much: at the end of its stack the parser may end the process, because V8 has no memory for a regular expression there.
 */
export function readYaml(text: string): unknown {
  if (text.length > maxYamlLength) throw new Error(`has more than ${maxYamlLength} characters, the limit`);
  checkNesting(text);
  checkIndentation(text);
  // Where none may stand, the parser nests them before it reports them.
  if (/(?:[?-][ \t]+){100}/.test(text)) throw tooDeep();
  let properties = 0;
  for (const _ of text.matchAll(/(?<![^\s,:[{])(?:!|&(?=\S))/g)) properties += 1;
  if (properties > maxProperties)
    throw new Error(`has more than ${maxProperties} anchors and tags, the limit`);
  try {
    const content: unknown = parse(text, {
      maxAliasCount: 0,
      logLevel: 'error',
      uniqueKeys: false,
      // Each of many errors would be shown with its place.
      prettyErrors: false,
    });
    return content;
  } catch (cause) {
    throw new Error('is not YAML', { cause });
  }
}

/** Blocks are nested by what their lines are indented, and by marks before the first of a line. */
function checkIndentation(text: string): void {
  const levels: number[] = [];
  for (const [prefix] of text.matchAll(/^ *(?:[?:-][ \t]+)*(?=\S)/gm)) {
    while ((levels.at(-1) ?? -1) >= prefix.length) levels.pop();
    levels.push(prefix.length);
    if (levels.length + prefix.replace(/[ \t]/g, '').length > maxDepth) throw tooDeep();
  }
}

/** Refuses JSON and YAML by brackets in brackets, those in texts among them. */
export function checkNesting(text: string): void {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > maxDepth) throw tooDeep();
  }
}

function tooDeep(): Error {
  return new Error(`is nested more than ${maxDepth} deep, the limit`);
}
