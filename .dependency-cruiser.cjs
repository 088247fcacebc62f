// Who may import whom; CONTRIBUTING.md tells why. test/imports.test.ts holds the sources to it, and each rule to a
// counter-example. `sources` lets that test point the same rules at its counter-examples.
const rulesFor = (sources) => {
  const engine = `^${sources}/engine/src`;
  const server = `^${sources}/server/src`;
  const client = `^${sources}/client/`;
  const consoleOf = `^${sources}/console/`;
  const adapters =
    '(wire/v1|wire/v2|http/api|compat/deepstack|compat/compreface|compat/doods|compat/frigate|drops/ftp|drops/sftp)';
  const inner =
    '(accounts|recognition|faces|training|drops(?!/(ftp|sftp|servers)/)|tagging|delivery|streams)';
  // A test may set up what it tests with whatever it needs.
  const tests = '\\.test\\.ts$|/(fixtures|testing)/';
  const rule = (name, comment, from, to) => ({
    name,
    comment,
    severity: 'error',
    from: { pathNot: tests, ...from },
    to,
  });

  return [
    rule(
      'engine-knows-no-server',
      'The engine runs without HTTP, accounts or a database.',
      { path: engine },
      { path: `^${sources}/server|@lynceus/server` },
    ),
    rule(
      'image-stands-alone',
      'Images are opened without knowing who asks.',
      { path: `${engine}/image/` },
      { path: engine, pathNot: `${engine}/(image/|errors\\.ts$)` },
    ),
    rule(
      'onnx-stands-alone',
      'Graphs are read and written without knowing where models come from.',
      { path: `${engine}/onnx/` },
      { path: engine, pathNot: `${engine}/(onnx/|errors\\.ts$)` },
    ),
    rule(
      'tasks-know-images-and-manifests',
      'A task is handed its models; how they are installed and run is not its affair.',
      { path: `${engine}/tasks/` },
      { path: `${engine}/(runtime|catalog|onnx|training)/`, pathNot: `${engine}/catalog/manifest\\.ts$` },
    ),
    rule(
      'catalog-runs-nothing',
      'Installing a model needs no image, task or inference process.',
      { path: `${engine}/catalog/` },
      { path: `${engine}/(runtime|tasks|image|training)/` },
    ),
    rule(
      'server-uses-the-public-engine',
      'What the engine offers is in its index; the rest may change any day.',
      { path: server },
      { path: `^${sources}/engine/`, pathNot: `^${sources}/engine/(src|dist)/index\\.(d\\.ts|ts|js)$` },
    ),
    rule(
      'no-adapter-imports-another',
      'Generations and channels of the interface change apart; what they share lies below them.',
      { path: `${server}/${adapters}/` },
      { path: `${server}/${adapters}/`, pathNot: `${server}/$1/` },
    ),
    rule(
      'api-knows-no-quirks',
      'Of the wire contract the management API shares the tags of frames, and nothing else.',
      { path: `${server}/(http/api/|.+/routes/)` },
      { path: `${server}/wire/`, pathNot: `${server}/wire/frame-tags\\.ts$` },
    ),
    rule(
      'no-domain-imports-an-adapter',
      'What a call means does not depend on the adapter that it came through.',
      { path: `${server}/${inner}/`, pathNot: `${tests}|/routes/` },
      { path: `${server}/(${adapters}|http|wire|compat|live)/|/routes/` },
    ),
    rule(
      'ground-floor-knows-no-one-above',
      'Storage, jobs and what is in core serve everybody.',
      { path: `${server}/(storage|service/jobs|core)/` },
      { path: `${server}/(${adapters}|${inner}|http)/` },
    ),
    rule(
      'tracking-stands-alone',
      'Objects are followed without knowing where frames come from and who hears of it.',
      { path: `${server}/streams/tracking/` },
      { path: server, pathNot: `${server}/(streams/tracking|core)/` },
    ),
    rule(
      'only-commands-start-the-service',
      'main.ts wires everything and handles signals; nothing imports it.',
      { path: `^${sources}/`, pathNot: `${tests}|${server}/cli/serve\\.ts$` },
      { path: `${server}/main\\.ts$` },
    ),
    rule(
      'client-imports-nothing',
      'It runs in pages and in programs that install it alone.',
      { path: client },
      { pathNot: client },
    ),
    rule(
      'nobody-needs-the-client',
      'The service does not know who calls it.',
      { path: `^${sources}/`, pathNot: `${client}|${consoleOf}` },
      { path: `${client}|@lynceus/client` },
    ),
    rule(
      'the-page-knows-the-client-alone',
      'The web account is a program like others: what it may do, anybody may do by the API.',
      { path: consoleOf },
      { path: `^${sources}/(engine|server)/|@lynceus/(engine|server)` },
    ),
    rule(
      'nobody-needs-the-page',
      'The service runs without its web account.',
      { path: `^${sources}/`, pathNot: consoleOf },
      { path: `${consoleOf}|@lynceus/console` },
    ),
    rule(
      'no-cycles',
      'Of two files that need each other, one idea wants a file of its own.',
      {},
      { circular: true },
    ),
  ];
};

module.exports = {
  forbidden: rulesFor('packages'),
  rulesFor,
};
