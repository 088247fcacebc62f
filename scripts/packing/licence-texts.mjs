import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../setup/prepare.mjs';

const divider = `\n${'='.repeat(100)}\n\n`;
const licenceFile = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

/** Its packages have none. */
const runtimeLicence = join(import.meta.dirname, 'onnxruntime', 'LICENSE');

/** Writes the licence and the texts of each package that is in the bundle or in the page, or that comes with it. */
export async function writeLicenceTexts(path, shipped) {
  const parts = [];
  // What both the service and the page use is listed twice.
  for (const each of new Map(shipped.map((found) => [found.path, found])).values()) {
    // Binaries of other machines, which bring their texts themselves.
    if (!existsSync(join(root, each.path))) continue;
    parts.push(await textOf(each));
  }
  const intro =
    'Lynceus is made with the packages below, each under the licence that is named with it. Its text is that of the package, or\n' +
    'the usual one where the package has none. That of Apache-2.0 is also in the file LICENSE. The binaries of ONNX Runtime and\n' +
    'USearch are in packages of their own, @lynceus/native-…, with the texts of what they are made of.\n';
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
  if (name.startsWith('onnxruntime-')) texts.push(await readFile(runtimeLicence, 'utf8'));
  if (texts.length === 0) texts.push(usualText(licence, by ?? name));
  const trimmed = texts.map((text) => text.replaceAll('\r\n', '\n').trim());
  return [head.filter(Boolean).join('\n'), ...trimmed].join('\n\n');
}

/** Of a package that names its licence and has no text of it. */
function usualText(licence, holder) {
  if (licence === 'MIT') return `Copyright (c) ${holder}\n\n${mit}`;
  if (licence === 'Apache-2.0') return 'The text of the licence is in the file LICENSE.';
  return `The text of the licence is published by its name, ${licence}.`;
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished
to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
