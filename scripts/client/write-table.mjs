/** `table.ts`: of each call, what src/service/operation.ts says: the request that it makes, and how its answer is read. */
export function writeTable(tree) {
  return [
    "import type { OperationTable } from '../service/operation.js';",
    '',
    `export const table: OperationTable = ${groupText(tree, '')};`,
    '',
  ].join('\n');
}

function groupText({ calls }, indent) {
  const inner = `${indent}  `;
  const lines = calls.map(({ name, group, ...call }) => {
    if (group) return `${inner}${name}: ${groupText(group, inner)},`;
    return `${inner}${name}: ${valueText(operationOf(call), inner)},`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function operationOf({ row, operation, args, parameters, isPaged, answer }) {
  const { method, path, requestBody } = operation;
  const inPath = parameters.filter(({ place }) => place === 'path');
  const own = inPath.reduce((text, { name, wire }) => text.replace(`{${wire}}`, `{${name}}`), path);
  const body = args.find(({ wire }) => wire === 'body');
  const [type] = Object.keys(requestBody?.content ?? {});
  const image = args.some(({ wire }) => wire === 'image') && (type === 'application/json' ? 'json' : 'form');
  const renamed = parameters.filter(({ name, wire, place }) => place !== 'path' && toSnake(name) !== wire);
  const makes = answer.statuses.some((each) => ['201', '202'].includes(each)) && method !== 'PUT';
  return withoutNone({
    call: `${method} ${row.path ?? own}`,
    args: args.map(({ name }) => name),
    query: fieldsIn('query', parameters),
    json: fieldsIn('json', parameters),
    form: fieldsIn('form', parameters),
    etag: parameters.find(({ place }) => place === 'header')?.name,
    wire: Object.fromEntries(
      renamed.filter(({ place }) => place !== 'header').map(({ name, wire }) => [name, wire]),
    ),
    fixed: row.fixed,
    image,
    body: body && { name: body.name, type },
    creates: row.creates ?? makes,
    paged: isPaged,
    media: answer.media,
    as: answer.as,
    reads: row.reads,
    alsoAnswers: answer.alsoAnswers,
    timeoutMs: row.timeoutMs,
  });
}

/** Of each field whether a call needs it, and whether it is a list. */
function fieldsIn(place, parameters) {
  const fields = parameters.filter((each) => each.place === place);
  const kind = ({ isNeeded, isArray }) => `${isNeeded ? 'needed' : 'optional'}${isArray ? ' array' : ''}`;
  return Object.fromEntries(fields.map((each) => [each.name, kind(each)]));
}

function withoutNone(operation) {
  const isNone = (value) => !value || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(operation).filter(([, value]) => !isNone(value)));
}

function valueText(value, indent) {
  if (Array.isArray(value)) return `[${value.map((each) => valueText(each)).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value);
  if (indent === undefined)
    return `{ ${entries.map(([name, each]) => `${name}: ${valueText(each)}`).join(', ')} }`;
  const lines = entries.map(([name, each]) => `${indent}  ${name}: ${valueText(each)},`);
  return `{\n${lines.join('\n')}\n${indent}}`;
}

const toSnake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
