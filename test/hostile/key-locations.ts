import { sample } from '../support/sample.js';
import type { RemoteServer } from './remote-server.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD';

export interface Ways {
  /** Answers the status code. */
  readonly send: (
    method: Method,
    path: string,
    headers?: Record<string, string>,
    body?: string | Buffer | null,
  ) => Promise<number>;
  /** Writes text to a connection as it is. */
  readonly sendRaw: (text: string) => Promise<void>;
  readonly remote: RemoteServer;
}

/** One key in every position where it may be, and where it should not. */
export async function useKeyEverywhere(key: string, { send, sendRaw, remote }: Ways): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const bearer = { authorization: `Bearer ${key}` };
  const header = { 'x-api-key': key };
  const encoded = [...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join('');
  const v2 = JSON.stringify({ base64str: sample.toString('base64'), model_id: 102 });
  const elsewhere = encodeURIComponent(remote.address(`/missing?apikey=${key}`));

  for (const name of ['apikey', 'api_key']) {
    await send('PUT', `/predict?${name}=${key}`, {}, v2);
    await send('POST', `/predict/object_detection/?${name}=${key}&model_id=102`, {}, sample);
    await send('POST', `/predict/object_detection/?${name}=${encoded}&conf_thresh=7`, {}, sample);
    await send('GET', `/predict/image?${name}=${key}&${name}=${key}`);
    await send('GET', `/predict/face?command=${key}&${name}=${key}`);
    await send('GET', `/api/account?${name}=${key}`);
    await send('OPTIONS', `/predict?${name}=${key}`);
    await send('DELETE', `/predict?${name}=${key}`);
    await send('HEAD', `/predict?${name}=${key}`);
    await send('GET', `/livez?${name}=${key}`);
    await send('GET', `/predict/image?${name.toUpperCase()}=${key}`);
    await send('GET', `/predict/image?x=%zz&${name}=${key}`);
  }
  for (const way of [
    bearer,
    header,
    { authorization: `Basic ${Buffer.from(`user:${key}`).toString('base64')}` },
  ]) {
    await send('PUT', '/predict', way, v2);
    await send('GET', '/api/keys', way);
    await send('GET', '/predict/image', way);
  }
  for (const wrong of [
    'model_id',
    'predicttype',
    'parts',
    'url',
    'command',
    'person_id_filter',
    'person_name',
    'key_id',
    'x',
  ]) {
    await send('POST', `/predict/image?${wrong}=${key}&apikey=${key}`, {}, sample);
    await send('POST', `/predict/face?model_id=1&${wrong}=${key}`, header, sample);
    await send('GET', `/api/files?${wrong}=${key}`, bearer);
    await send('GET', `/api/keys?${key}=1`, bearer);
  }
  for (const wrong of ['base64str', 'model_id', 'conf_thresh', 'image_file_url', 'apikey', key]) {
    await send('PUT', '/predict', bearer, JSON.stringify({ model_id: 102, [wrong]: key }));
    await send('POST', '/api/keys', { ...json, ...bearer }, JSON.stringify({ [wrong]: key }));
  }
  await send('POST', '/api/keys', { ...json, ...bearer }, JSON.stringify({ name: key }));
  await send('POST', '/api/keys', { ...json, ...bearer }, JSON.stringify({ name: `for ${key}` }));
  await send('POST', '/api/keys', { ...json, ...bearer }, `{"name": ${key}}`);
  await send('GET', `/predict/${key}`, bearer);
  await send('GET', `/api/files/${key}`, bearer);
  await send('DELETE', `/api/keys/${key}`, bearer);
  await send('GET', `/docs/${key}`);
  await send('GET', '/predict/image', { referer: `http://a/?apikey=${key}`, cookie: `apikey=${key}` });
  await send('GET', '/predict/image', { 'user-agent': key, 'x-request-id': key, origin: `http://${key}` });
  for (const address of [
    elsewhere,
    encodeURIComponent(remote.address(`/image?apikey=${key}`)),
    encodeURIComponent(`http://${key}@127.0.0.2/`),
    encodeURIComponent(`http://127.0.0.1/?api_key=${key}`),
    encodeURIComponent(`ftp://user:${key}@127.0.0.2/`),
  ]) {
    await send('POST', `/predict/object_detection?url=${address}&model_id=102`, bearer);
  }
  const form = `--X\r\nContent-Disposition: form-data; name="apikey"\r\n\r\n${key}\r\n--X\r\nContent-Disposition: form-data; name="model_id"\r\n\r\n${key}\r\n--X--\r\n`;
  await send(
    'POST',
    `/predict/image?apikey=${key}`,
    { 'content-type': 'multipart/form-data; boundary=X' },
    form,
  );
  await send(
    'POST',
    '/predict/image',
    { 'content-type': 'application/x-www-form-urlencoded' },
    `apikey=${key}`,
  );

  await sendRaw(`GET /predict/image?apikey=${key} and more HTTP/1.1\r\n\r\n`);
  await sendRaw(`USER customer\r\nPASS ${key}\r\n`);
  await sendRaw(`${key} / HTTP/1.1\r\n\r\n`);
  await sendRaw(`GET http://user:${key}@other/predict?apikey=${key} HTTP/1.1\r\nHost: ${key}\r\n\r\n`);
  await sendRaw(`GET /predict HTTP/1.1\r\nX-API-Key ${key}\r\n\r\n`);
  await sendRaw(
    `POST /predict?api_key=${key} HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n{"apikey": "${key}`,
  );
}
