import { FormatError, type Tree } from './plan.js';
import { tryRead } from './try-read.js';

/** Open Images' names of classes, a line each: `/m/01yrx,Cat`. */
const line = /^"?(\/[mgt]\/[\w-]+)"?,(?:"((?:[^"]|"")+)"|([^",]+))$/;

/** The names by their identifiers, and the files that have them: those that hold nothing else. */
export async function readDescriptions(tree: Tree, files: readonly string[]) {
  const names = new Map<string, string>();
  const own = new Set<string>();
  for (const file of files) {
    if (!/class[^/]*\.csv$/i.test(file)) continue;
    const lines = await tryRead(tree, file, (text) =>
      text.split(/\r?\n/).filter((each) => each.trim() !== ''),
    );
    if (lines instanceof FormatError) continue;
    const found = lines
      .slice(/^"?LabelName/i.test(lines[0] ?? '') ? 1 : 0)
      .map((each) => line.exec(each.trim()));
    if (found.length === 0 || found.includes(null)) continue;
    own.add(file);
    for (const match of found) {
      const [, id = '', quoted, plain = ''] = match ?? [];
      names.set(id, (quoted?.replaceAll('""', '"') ?? plain).trim());
    }
  }
  return { names, files: own };
}
