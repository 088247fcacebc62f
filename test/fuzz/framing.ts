import fc from 'fast-check';

/** Requests on which a proxy before us and we might disagree where they end; each hides a second request in its body. */
export const smuggling: readonly (readonly [name: string, head: string])[] = [
  ['a length and chunks', 'Content-Length: 70\r\nTransfer-Encoding: chunked\r\n'],
  ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 70\r\n'],
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 70\r\n'],
  ['two equal lengths', 'Content-Length: 5\r\nContent-Length: 5\r\n'],
  ['a list of lengths', 'Content-Length: 5, 70\r\n'],
  ['a length with a sign', 'Content-Length: +5\r\n'],
  ['a negative length', 'Content-Length: -5\r\n'],
  ['a hexadecimal length', 'Content-Length: 0x5\r\n'],
  ['a length beyond all numbers', 'Content-Length: 99999999999999999999999\r\n'],
  ['a length that is a word', 'Content-Length: five\r\n'],
  ['chunks by another name', 'Transfer-Encoding: xchunked\r\n'],
  ['chunks that are not last', 'Transfer-Encoding: chunked, identity\r\n'],
  ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'],
  ['a blank before the colon', 'Transfer-Encoding : chunked\r\n'],
  ['a folded header', 'Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n'],
  ['a bare line feed in a header', 'X: a\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n'],
  ['a bare carriage return in a header', 'X: a\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n'],
  ['NUL in a header', 'X: a\0b\r\nContent-Length: 5\r\n'],
];

const methods = [
  'GET',
  'POST',
  'PUT',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'QUERY',
];
const oddMethods = ['', 'get', 'G ET', 'PRI', 'M-SEARCH', 'X'.repeat(300), 'GET\0'];
const paths = [
  '/predict',
  '/predict/image',
  '/predict/object_detection/',
  '/predict/face',
  '/api/keys',
  '/api/files',
  '/livez',
  '/docs',
  '/',
];
const oddTargets = [
  '*',
  'http://other.example/predict/image',
  'http://[::1/predict',
  'other.example:443',
  '//predict/image',
  '/predict/../predict/image',
  '/predict%2fimage',
  '/%00',
  '/%zz',
  '/\u00ff',
  '/predict/image?%',
  `/${'a'.repeat(20_000)}`,
  `/predict/image?${'a&'.repeat(5000)}`,
  '?',
  '',
];
const headers = [
  'Connection: close',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Upgrade: h2c\r\nHTTP2-Settings: AAAA',
  'Expect: 100-continue',
  'Expect: nonsense',
  'Content-Type: application/json',
  'Content-Type: multipart/form-data; boundary=X',
  'Content-Type: application/x-www-form-urlencoded',
  'Content-Type: ;;',
  'Content-Encoding: gzip',
  'Host:',
  'Host: a\r\nHost: b',
  'X-API-Key: \u00ff',
  'Authorization: Bearer',
  'Authorization: Basic AAAA',
  'Range: bytes=0-1',
  'If-None-Match: *',
  'Cookie: a=b',
  'Origin: null',
  'Access-Control-Request-Method: PUT\r\nOrigin: http://a',
  ': empty',
  'no colon',
  'X: \u0001',
  `X: ${'x'.repeat(30_000)}`,
  'Y: 1\r\n'.repeat(3000),
];
const bodies = [
  '',
  'Content-Length: 2\r\n\r\n{}',
  'Content-Length: 20\r\n\r\n{"base64str": "AAAA"}',
  'Content-Length: 50\r\n\r\nshort',
  'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
  'Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}',
  'Transfer-Encoding: chunked\r\n\r\n2;ext="a\r\n{}\r\n0\r\nTrailer: x\r\n\r\n',
  `Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  'Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n',
  'Content-Length: 90\r\n\r\n--X\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nabc\r\n--X--\r\n',
  ...smuggling.map(([, head]) => `${head}\r\n5\r\nhello\r\n0\r\n\r\nGET /livez HTTP/1.1\r\n\r\n`),
];

/** A request as it goes over the wire, right or wrong, with the key in the query or without one. */
function rawRequest(key: string): fc.Arbitrary<Buffer> {
  return fc
    .record({
      method: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...methods) }, fc.constantFrom(...oddMethods)),
      path: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...paths) },
        { weight: 2, arbitrary: fc.constantFrom(...oddTargets) },
        fc.webPath(),
      ),
      query: fc.oneof(
        { weight: 3, arbitrary: fc.constant(`?apikey=${key}`) },
        fc.webQueryParameters().map((query) => `?apikey=${key}&${query}`),
        fc.constant(''),
      ),
      version: fc.oneof(
        { weight: 8, arbitrary: fc.constant(' HTTP/1.1') },
        fc.constantFrom(' HTTP/1.0', ' HTTP/2.0', ' HTTP/9', ' http/1.1', '', ' x'),
      ),
      more: fc.array(fc.constantFrom(...headers), { maxLength: 3 }),
      body: fc.constantFrom(...bodies),
      lineEnd: fc.oneof({ weight: 8, arbitrary: fc.constant('\r\n') }, fc.constantFrom('\n', '\r')),
    })
    .map(({ method, path, query, version, more, body, lineEnd }) => {
      const head = [`${method} ${path}${query}${version}`, 'Host: a', ...more].join(lineEnd);
      return Buffer.from(`${head}${lineEnd}${body === '' ? lineEnd : body}`, 'latin1');
    });
}

/** What a client writes on a connection: requests one after another, some changed, or noise. */
export function connectionBytes(
  key: string,
  mutated: (valid: readonly Buffer[]) => fc.Arbitrary<Buffer>,
): fc.Arbitrary<Buffer> {
  const proper = Buffer.from(
    `PUT /predict?api_key=${key} HTTP/1.1\r\nHost: a\r\nContent-Length: 21\r\n\r\n{"base64str": "AAAA"}`,
  );
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.array(rawRequest(key), { minLength: 1, maxLength: 3 }).map((all) => Buffer.concat(all)),
    },
    { weight: 2, arbitrary: mutated([proper, Buffer.concat([proper, proper])]) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );
}
