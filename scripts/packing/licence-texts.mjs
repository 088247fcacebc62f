import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../setup/prepare.mjs';

const divider = `\n${'='.repeat(100)}\n\n`;
const licenceFile = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

/** Writes the licence and the texts of each package that is in the bundle or in the page, or that comes with it. */
export async function writeLicenceTexts(path, shipped) {
  const parts = [];
  for (const each of shipped) {
    // Binaries of other machines, which bring their texts themselves.
    if (!existsSync(join(root, each.path))) continue;
    parts.push(await textOf(each));
  }
  const intro =
    'Lynceus is made with the packages below. Each is under the licence that is named with it, whose text follows where the\n' +
    'package has one. ONNX Runtime and USearch are in packages of their own, @lynceus/native-…, with theirs.\n';
  await writeFile(path, [intro, ...parts].join(divider));
}

async function textOf({ path, name, version, licence }) {
  const folder = join(root, path);
  const files = (await readdir(folder)).filter((file) => licenceFile.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const { author, homepage } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const by = typeof author === 'string' ? author : author?.name;
  const head = [
    `${name} ${version}`,
    `Licence: ${licence}`,
    by && `Author: ${by}`,
    homepage && `Home: ${homepage}`,
  ];
  return [head.filter(Boolean).join('\n'), ...texts.map((text) => text.replaceAll('\r\n', '\n').trim())].join(
    '\n\n',
  );
}
