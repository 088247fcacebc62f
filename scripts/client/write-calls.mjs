import { docLines, typeText } from './type-text.mjs';

/** Types that the client has by hand, with their files; all others by hand are in shapes.ts. */
const byHand = {
  CallOptions: '../options.js',
  Image: '../image.js',
  ListOptions: '../pages.js',
  Page: '../pages.js',
  PageOptions: '../pages.js',
};
const builtIn = [
  'AsyncGenerator',
  'Blob',
  'File',
  'Promise',
  'ReadableStream',
  'Record',
  'URL',
  'Uint8Array',
];

/** `calls.ts`: an interface for each group of calls and for the options of each call, with their documentation. */
export function writeCalls(tree, { components }) {
  const options = new Map();
  const groups = [];
  writeGroup(tree, 'LynceusClient', options, groups);
  const body = [...options.values(), ...groups].join('\n\n');
  return `${importsFor(body, Object.keys(components.schemas))}\n\n${body}\n`;
}

function writeGroup({ about, calls }, typeName, options, groups) {
  const members = calls.flatMap(({ group, full, name, ...call }) => {
    if (!group) return writeCall(name, call, options);
    const type = `${full.map(toUpper).join('')}Calls`;
    writeGroup(group, type, options, groups);
    return [[...docLines(group.about ? [group.about] : [], '  '), `  readonly ${name}: ${type};`].join('\n')];
  });
  const head = [...docLines([about ?? 'The operations of the service.']), `export interface ${typeName} {`];
  groups.push([...head, members.join('\n\n'), '}'].join('\n'));
}

function writeCall(name, call, options) {
  const { row, args, isPaged, answer } = call;
  const own = writeOptions(call, options);
  const docs = documentation(call);
  if (isPaged) {
    const of = (kind) => [...(own ? [own] : []), kind].join(' & ');
    const page = name === 'list' ? 'page' : `${name}Page`;
    const { items, type } = pageTypes(answer);
    const walk = [
      ...docs.slice(0, 1).map((line) => `${line} All of them, for \`for await\`.`),
      ...docs.slice(1),
    ];
    return [
      member(page, [`One page of \`${name}\`.`], args, of('PageOptions'), true, `Promise<${type}>`),
      member(name, walk, args, of('ListOptions'), true, `AsyncGenerator<${items}, void, undefined>`),
    ];
  }
  const type = answer.type ?? typeText(answer.schema, '  ');
  const isWalked = row.reads?.startsWith('event');
  const result = isWalked ? `AsyncGenerator<${type}, void, undefined>` : `Promise<${type}>`;
  const mayLack = row.takes === undefined && !needsOptions(call);
  return [member(name, docs, args, own ?? 'CallOptions', mayLack, result)];
}

/** A change without anything to change is a mistake, though the service takes it. */
function needsOptions({ operation, options }) {
  const isChange = operation.method === 'PATCH' && options.some(({ place }) => place === 'json');
  return isChange || options.some(({ isNeeded }) => isNeeded);
}

function pageTypes({ type, schema }) {
  if (type) return { type, items: `${type}['data'][number]` };
  const items = typeText(schema.properties.data.items, '  ');
  return { type: `Page<${items}>`, items };
}

function member(name, docs, args, options, mayLack, result) {
  const given = args.map((each) => `${each.name}: ${each.type ?? typeText(each.schema, '  ', true)}`);
  const words = args.filter((each) => each.words).map((each) => `@param ${each.name} ${each.words}`);
  const signature = [...given, `options${mayLack ? '?' : ''}: ${options}`].join(', ');
  return [...docLines([...docs, ...words], '  '), `  ${name}: (${signature}) => ${result};`].join('\n');
}

/** The name of the type of a call's own options; undefined where it has none. */
function writeOptions({ row, options, optionsType, isPaged }, written) {
  if (row.takes) return row.takes;
  if (options.length === 0) return undefined;
  const lines = options.flatMap(({ name, type, schema, isNeeded, words }) => {
    const text = type ?? typeText(schema, '  ', true);
    const property = isNeeded ? `${name}: ${text}` : `${name}?: ${text} | undefined`;
    return [...docLines(words ? [words] : [], '  '), `  readonly ${property};`];
  });
  const head = `export interface ${optionsType}${isPaged ? '' : ' extends CallOptions'} {`;
  const text = [head, ...lines, '}'].join('\n');
  if ((written.get(optionsType) ?? text) !== text)
    throw new Error(`packages/client/calls.mjs: calls with other options share the type ${optionsType}`);
  written.set(optionsType, text);
  return optionsType;
}

/** Summary and description of the operation, or the row's own words, as lines of a comment. */
function documentation({ row, operation, answer }) {
  const { summary = '', description } = operation;
  const notes = [
    ...(answer.as === 'stream' && !row.reads
      ? ['It comes as it is sent: read it to its end, or cancel it.']
      : []),
    ...(row.timeoutMs ? ['An hour unless `timeoutMs` is given.'] : []),
  ];
  if (row.about) return [[row.about, ...notes].join(' ')];
  return [[`${summary}.`, ...notes].join(' '), ...(description ? ['', ...description.split('\n')] : [])];
}

function importsFor(text, schemas) {
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/'[^']*'/g, '');
  const declared = new Set([...code.matchAll(/export interface (\w+)/g)].map(([, name]) => name));
  const files = new Map();
  for (const name of [...new Set(code.match(/\b[A-Z]\w+/g))].sort()) {
    if (declared.has(name) || builtIn.includes(name)) continue;
    const file = schemas.includes(name) ? './api-types.js' : (byHand[name] ?? '../shapes.js');
    files.set(file, [...(files.get(file) ?? []), name]);
  }
  return [...files]
    .map(([file, names]) => `import type {\n  ${names.join(',\n  ')},\n} from '${file}';`)
    .join('\n');
}

const toUpper = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;
