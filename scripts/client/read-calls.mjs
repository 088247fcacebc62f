import { parametersOf } from './read-parameters.mjs';

/**
 * The rows of packages/client/calls.mjs with what the OpenAPI document says of their operations: a tree of groups and calls.
 * @throws an Error that names a row that the document has nothing for
 */
export function readCalls(document, rows) {
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { ...operation, path, method: method.toUpperCase() },
      ]),
    ),
  );
  const readGroup = ({ about, ...group }, names) => ({
    about,
    calls: Object.entries(group).map(([name, row]) => {
      const isCall = typeof row === 'string' || 'call' in row;
      const full = [...names, name];
      if (!isCall) return { name, group: readGroup(row, full), full };
      return { name, ...readCall(typeof row === 'string' ? { call: row } : row, full.join('.'), operations) };
    }),
  });
  return readGroup(rows, []);
}

function readCall(row, name, operations) {
  const [, id, list] = /^(\w+)\((.*)\)$/.exec(row.call) ?? [];
  const operation = operations.get(id);
  if (!operation)
    throw new Error(
      `packages/client/calls.mjs: the OpenAPI document has no operation for ${name}: ${row.call}`,
    );
  const args = list === '' ? [] : list.split(', ').map(readArgument);
  const parameters = parametersOf(operation, row, args);
  for (const { wire } of args) {
    if (!['image', 'body'].includes(wire) && !parameters.some((each) => each.wire === wire))
      throw new Error(`packages/client/calls.mjs: ${id} has no parameter ${wire} for ${name}`);
  }
  const inArguments = new Set(args.map((each) => each.name));
  const options = parameters.filter((each) => !inArguments.has(each.name));
  const isPaged = options.some((each) => each.wire === 'cursor');
  return {
    row,
    operation,
    args: args.map((each) => describeArgument(each, row, operation, parameters)),
    parameters,
    options: options.filter(({ wire }) => !isPaged || !['limit', 'cursor'].includes(wire)),
    isPaged,
    optionsType: row.options ?? `${id[0].toUpperCase()}${id.slice(1)}${isPaged ? 'Filter' : 'Options'}`,
    answer: readAnswer(operation, row),
  };
}

function readArgument(text) {
  const [name, wire = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = text.split(': ');
  return { name, wire };
}

function describeArgument({ name, wire }, { types = {}, words = {} }, { requestBody }, parameters) {
  if (wire === 'image') return { name, wire, type: 'Image' };
  if (wire !== 'body') return parameters.find((each) => each.name === name);
  const [{ schema }] = Object.values(requestBody.content);
  return { name, wire, schema, type: types[name], words: words[name] };
}

/** Schema or type of the answer, and how it is read when it is not JSON. */
function readAnswer({ responses }, { answers }) {
  const statuses = Object.keys(responses).filter((code) => code.startsWith('2'));
  const { content = {} } = responses[statuses[0]];
  const types = Object.keys(content);
  const alsoAnswers = sameAnswer(responses, content);
  const isJson = types.includes('application/json') && answers !== 'Blob';
  if (types.length === 0) return { statuses, type: 'void' };
  if (isJson) return { statuses, alsoAnswers, type: answers, schema: content['application/json'].schema };
  const media = types.filter((type) => type !== 'application/json');
  const families = new Set(media.map((type) => type.split('/')[0]));
  const [family] = families;
  // A proxy may make another kind of image of an image.
  const isFamily = families.size === 1 && (media.length > 1 || ['image', 'video'].includes(family));
  const isWhole = family === 'image' || media.includes('application/zip') || answers === 'Blob';
  const type = answers ?? (isWhole ? 'Blob' : 'ReadableStream<Uint8Array>');
  const as = isWhole || answers === 'Preview' ? 'blob' : type === 'string' ? 'text' : 'stream';
  return { statuses, type, media: isFamily ? `${family}/*` : media.join(', '), as };
}

/** The status of an error that comes with the same answer as success. */
function sameAnswer(responses, content) {
  const named = (of) => of?.['application/json']?.schema.$ref;
  const same = Object.entries(responses).find(
    ([code, each]) => !code.startsWith('2') && named(content) && named(each.content) === named(content),
  );
  return same && Number(same[0]);
}
