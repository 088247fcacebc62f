import { readYaml as parseYaml } from '@lynceus/engine/yaml';
import { classNameOf, FormatError, type Tree } from './plan.js';
import type { PlanFindings } from './plan-findings.js';
import { tryRead } from './try-read.js';
import type { PoseShape } from './yolo-lines.js';

/** What a dataset says of its classes. */
interface YoloNames {
  /** By the numbers of the classes; empty where none are named. */
  readonly names: ReadonlyMap<number, string>;
  readonly shape: PoseShape | null;
}

/**
 * The names of `data.yaml`, else those of another YAML file, else those of `classes.txt` or of a file `*.names`, a line a class.
 * Throws `FormatError` when `data.yaml` cannot be read, or when another YAML file cannot and no file has names.
 */
export async function readNames(tree: Tree, findings: PlanFindings): Promise<YoloNames> {
  const files = tree.paths.filter((path) => /\.ya?ml$/i.test(path));
  const own = await readYaml(tree, files.filter(isDataFile), findings);
  if (own.names === null && own.refusal) throw own.refusal;
  const others = files.filter((path) => !isDataFile(path));
  const { names, shape, refusal } = own.names === null ? await readYaml(tree, others, findings) : own;
  if (names !== null) return { names, shape: own.shape ?? shape };
  const list = tree.paths.find(isNamesList);
  if (list === undefined && refusal) throw refusal;
  const lines = list === undefined ? [] : (await tree.readText(list)).split(/\r\n|\n|\r/);
  return { names: numbered(lines.entries()), shape: own.shape ?? shape };
}

function isDataFile(path: string): boolean {
  return /(^|\/)data\.ya?ml$/i.test(path);
}

/** The names of the first file that has any, and why the first file that cannot be read cannot. */
async function readYaml(tree: Tree, paths: readonly string[], findings: PlanFindings) {
  let [shape, refusal]: [PoseShape | null, FormatError | null] = [null, null];
  for (const path of paths) {
    const read = await tryRead(tree, path, (text) => parseNames(text, path));
    if (read instanceof FormatError) {
      refusal ??= read;
      findings.add('ignored-file', path, read.message);
      continue;
    }
    shape ??= read.shape;
    if (read.names !== null) return { names: read.names, shape, refusal };
  }
  return { names: null, shape, refusal };
}

export function isNamesList(path: string): boolean {
  return /(^|\/)(classes\.txt|[^/]*\.names)$/i.test(path);
}

/** Numbers without a name have no class. */
function numbered(entries: Iterable<readonly [number, unknown]>): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const [index, name] of entries) {
    const className = classNameOf(name);
    if (className !== undefined) names.set(index, className);
  }
  return names;
}

/** Of a `data.yaml`; names are null where it has none. Throws `FormatError` for what is no YAML, or too large or nested. */
export function parseNames(
  text: string,
  path: string,
): { readonly names: ReadonlyMap<number, string> | null; readonly shape: PoseShape | null } {
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (cause) {
    throw new FormatError(`${path} ${cause instanceof Error ? cause.message : 'is not YAML'}`, { cause });
  }
  if (typeof value !== 'object' || value === null) return { names: null, shape: null };
  const shape = shapeOf(Reflect.get(value, 'kpt_shape'));
  const names: unknown = Reflect.get(value, 'names');
  if (Array.isArray(names)) return { names: numbered(names.entries()), shape };
  if (typeof names === 'string') return { names: readNamesText(names), shape };
  if (typeof names !== 'object' || names === null) return { names: null, shape };
  const entries = Object.entries(names).map(([index, name]) => [Number(index), name] as const);
  if (!entries.every(([index]) => Number.isInteger(index) && index >= 0)) {
    throw new FormatError(`${path} numbers its names by something else than 0, 1, 2 …`);
  }
  return { names: numbered(entries.sort(([a], [b]) => a - b)), shape };
}

/** Names in one text, `cat, dog` or a line each; null for the name of a file that has them. */
function readNamesText(text: string): ReadonlyMap<number, string> | null {
  const plain = text.trim().replace(/^\[|\]$/g, '');
  if (/\.(names|txt)$/i.test(plain)) return null;
  const names = plain
    .split(plain.includes('\n') ? '\n' : ',')
    .map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'));
  const list = numbered(names.entries());
  return list.size > 0 ? list : null;
}

function shapeOf(value: unknown): PoseShape | null {
  if (!Array.isArray(value)) return null;
  const [points, dims] = value.map(Number);
  const isShape = Number.isInteger(points) && (points ?? 0) > 0 && (dims === 2 || dims === 3);
  return isShape ? { points: points ?? 0, dims: dims ?? 0 } : null;
}
