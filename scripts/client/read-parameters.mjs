/** What an operation takes, each with its name in the client and its place in the request: path, query, json, form or header. */
export function parametersOf({ parameters = [], requestBody }, row, args) {
  const wires = new Set(args.map(({ wire }) => wire));
  const fields = wires.has('body') ? [] : fieldsOf(requestBody, wires);
  const named = parameters.map((each) => ({ ...each, wire: each.name, place: each.in }));
  // The image is an argument of its own, and its address with it.
  const leftOut = new Set([...(row.without ?? []), ...Object.keys(row.fixed ?? {}), 'image']);
  if (wires.has('image')) for (const wire of ['url', 'base64str', 'image_file_url']) leftOut.add(wire);
  const seen = new Set();
  return [...named, ...fields]
    .filter(({ wire }) => !leftOut.has(wire) && !seen.has(wire) && seen.add(wire))
    .filter(({ wire, place }) => place !== 'header' || Object.values(row.renames ?? {}).includes(wire))
    .map((each) => describe(each, row, args));
}

/** Those of JSON, unless a file is sent, which takes a form. */
function fieldsOf(requestBody, wires) {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  const [place, body] = json && !wires.has('file') ? ['json', json] : ['form', form];
  const { properties = {}, required = [] } = body?.schema ?? {};
  return Object.entries(properties).map(([wire, schema]) => ({
    wire,
    place,
    schema,
    description: schema.description,
    required: required.includes(wire),
  }));
}

function describe({ wire, place, schema, description, required }, row, args) {
  const { renames = {}, needed = [], types = {}, words = {} } = row;
  const argument = args.find((each) => each.wire === wire);
  const renamed = Object.keys(renames).find((name) => renames[name] === wire);
  const name = argument?.name ?? renamed ?? wire.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  const isNeeded = required === true || needed.includes(name);
  const type = types[name];
  const isArray = type ? /^readonly .*\[\]$/.test(type) : schema.type === 'array';
  return {
    name,
    wire,
    place,
    schema,
    type,
    isNeeded,
    isArray,
    words: words[name] ?? describeField(description, schema),
  };
}

/** A description completes "NAME must be …"; undefined where it says no more than the type. */
function describeField(description, schema) {
  const text = (description ?? '')
    .replace('; a + in its offset is %2B in an address', '')
    .replace(/^(a number|true or false)$/, '')
    .replace(/^true or false: /, '');
  if (text === '') return undefined;
  const unless =
    'default' in schema && !text.includes('unless given') ? `; ${schema.default} unless given` : '';
  return `${text[0].toUpperCase()}${text.slice(1)}${unless}.`;
}
