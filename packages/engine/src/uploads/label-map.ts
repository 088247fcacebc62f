import { listLabelMap } from './numbered-names.js';

/** Comments, strings, braces and words. A string that is not closed ends with its line, so that no text is searched twice. */
const tokens = /#[^\n]*|"((?:[^"\\\n]|\\.)*)"?|'((?:[^'\\\n]|\\.)*)'?|[{}]|[^\s{}"'#:,;]+/g;

/** TensorFlow's `item { id: 1 name: 'cat' display_name: 'Cat' }`. Messages within an item, such as key points, are skipped. */
export function readLabelMap(text: string): string[] | undefined {
  const names = new Map<number, string>();
  let fields: Map<string, string> | undefined;
  let depth = 0;
  let before = '';
  for (const [token, double, single] of text.matchAll(tokens)) {
    const string = double ?? single;
    if (string === undefined && token.startsWith('#')) continue;
    if (token === '{') {
      depth += 1;
      if (depth === 1) fields = before === 'item' ? new Map<string, string>() : undefined;
    } else if (token === '}') {
      depth = Math.max(0, depth - 1);
      if (depth === 0) {
        addItem(names, fields);
        fields = undefined;
      }
    } else if (depth === 1) {
      fields?.set(before, string === undefined ? token : unescaped(string));
    }
    before = string === undefined ? token : '';
  }
  return listLabelMap(names);
}

function addItem(names: Map<number, string>, fields: ReadonlyMap<string, string> | undefined): void {
  const id = fields?.get('id') ?? '';
  const title = fields?.get('display_name') || fields?.get('name');
  if (/^\d{1,5}$/.test(id) && title) names.set(Number(id), title);
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Protocol buffers write a quote with a backslash, and a letter beyond ASCII as the octal numbers of its bytes. */
function unescaped(string: string): string {
  return string.replace(/((?:\\[0-7]{3})+)|\\(.)/g, (_, octal: string | undefined, other: string) =>
    octal === undefined ? (controls[other] ?? other) : fromOctal(octal),
  );
}

function fromOctal(digits: string): string {
  const bytes = digits
    .slice(1)
    .split('\\')
    .map((each) => Number.parseInt(each, 8));
  return Buffer.from(bytes).toString('utf8');
}
