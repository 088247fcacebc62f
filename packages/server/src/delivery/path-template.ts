import { makeSafePart } from './remote-names.js';

/** The values of the variables for one file. */
export interface PathValues {
  /** The time when the image was taken, else of its arrival; formatted in UTC. */
  readonly date: Date;
  /** The first label; null when none was found. */
  readonly label: string | null;
  /** The name of the drop. */
  readonly drop: string;
  /** The folders it was uploaded into. */
  readonly folders: readonly string[];
  /** The uploaded name, such as `IMG_1.jpg`. */
  readonly fileName: string;
}

interface FilledPath {
  /** Outermost first. */
  readonly folders: readonly string[];
  readonly name: string;
}

type Fill = (values: PathValues) => string;

const digits = (value: number, length: number) => String(value).padStart(length, '0');

/** Variables within a segment. `{folder}` is a segment of its own and stands for any number of folders. */
const variables: Readonly<Record<string, Fill>> = {
  year: ({ date }) => digits(date.getUTCFullYear(), 4),
  month: ({ date }) => digits(date.getUTCMonth() + 1, 2),
  day: ({ date }) => digits(date.getUTCDate(), 2),
  hour: ({ date }) => digits(date.getUTCHours(), 2),
  minute: ({ date }) => digits(date.getUTCMinutes(), 2),
  second: ({ date }) => digits(date.getUTCSeconds(), 2),
  label: ({ label }) => label ?? 'unlabelled',
  drop: ({ drop }) => drop,
  name: ({ fileName }) => splitName(fileName).stem,
  ext: ({ fileName }) => splitName(fileName).ending,
};
const usable = [...Object.keys(variables), 'folder'].map((name) => `{${name}}`).join(' ');

const maxFolders = 20;
/** Object stores limit a whole key to 1024 bytes. */
const maxFolderBytes = 700;

export const usualPathTemplate = '{folder}/{name}';

/** The fault of a template, as text that follows its name; null when there is none. */
export function findTemplateFault(template: string): string | null {
  if (template.length > 500) return 'has more than 500 characters';
  const parts = template.split('/');
  if (parts.length > maxFolders) return `has more than ${maxFolders} parts`;
  if (parts.at(-1) === '') return 'ends with a slash; its last part is the name of the file, such as {name}';
  for (const [index, part] of parts.entries()) {
    if (part === '') return 'has an empty part: it begins with a slash, or has two in a row';
    if (part === '.' || part === '..') return 'has a part . or .., which leads elsewhere';
    if (part === '{folder}' && index < parts.length - 1) continue;
    const fault = findPartFault(part);
    if (fault !== null) return fault;
  }
  return null;
}

function findPartFault(part: string): string | null {
  if (part.includes('{folder}'))
    return 'has {folder} beside other things; it must be a part by itself, before the last';
  const literal = part.replace(/\{([^{}]*)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? '' : whole,
  );
  const unknown = /\{[^{}]*\}/.exec(literal);
  if (unknown) return `has ${unknown[0]}, which is none of ${usable}`;
  const odd = /[{}\\:*?"<>|%\p{Cc}\p{Cf}\p{Cs}]/u.exec(literal);
  if (!odd) return null;
  return /[{}]/.test(odd[0])
    ? `has a brace without its other one; ${usable} can be used`
    : 'has a character that not every file system takes, such as : * ? " < > |';
}

/**
 * The path of a file by a template without faults. Each segment is made safe separately, so that no value adds a folder. The file's
 * extension is appended where the template does not contain it.
 */
export function fillPathTemplate(template: string, values: PathValues): FilledPath {
  const parts = template.split('/');
  const last = parts.pop() ?? '';
  const folders = parts.flatMap((part) =>
    part === '{folder}'
      ? values.folders.map((folder) => makeSafePart(folder))
      : [makeSafePart(fillPart(part, values))],
  );
  return { folders: cutFolders(folders), name: fillName(last, values) };
}

function fillPart(part: string, values: PathValues): string {
  return part.replace(/\{([^{}]*)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name]?.(values) ?? whole) : whole,
  );
}

function fillName(part: string, values: PathValues): string {
  const { ending } = splitName(values.fileName);
  const whole = part.includes('{ext}') ? fillPart(part, values) : `${fillPart(part, values)}${ending}`;
  // A long name is shortened before its extension.
  if (ending === '' || !whole.endsWith(ending)) return makeSafePart(whole);
  const stem = makeSafePart(whole.slice(0, -ending.length));
  return `${stem}${ending}`;
}

function cutFolders(folders: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let bytes = 0;
  for (const folder of folders.slice(0, maxFolders)) {
    bytes += Buffer.byteLength(folder) + 1;
    if (bytes > maxFolderBytes) break;
    kept.push(folder);
  }
  return kept;
}

/** The extension with its dot, if it consists of letters and digits; else empty. */
function splitName(fileName: string): { readonly stem: string; readonly ending: string } {
  const ending = /(?<=[^.])\.[A-Za-z0-9]{1,10}$/.exec(fileName)?.[0] ?? '';
  return { stem: ending === '' ? fileName : fileName.slice(0, -ending.length), ending };
}
