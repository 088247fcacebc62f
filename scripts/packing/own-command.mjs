import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** What texts of the program and of its page say to type in a clone, and what an installed program is called. */
const commands = [
  ['npm run -s lynceus -- ', 'lynceus '],
  ['_PORT=2121 npm start', '_PORT=2121 lynceus serve'],
  ['start it with npm start', 'start it with lynceus serve'],
];

/** Replaces the commands in these files, and compresses those of the page again that are served compressed. */
export async function nameOwnCommand(paths) {
  const all = new Set(paths);
  for (const path of paths.filter((each) => /\.m?js$/.test(each))) {
    const text = await readFile(path, 'utf8');
    const changed = commands.reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
    if (changed === text) continue;
    await writeFile(path, changed);
    const bytes = Buffer.from(changed);
    if (all.has(`${path}.gz`)) await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    if (all.has(`${path}.br`))
      await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  }
}
