import type { Fetch } from '@lynceus/client';

/** How much of a request body was sent, in bytes. */
export interface Sent {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** A `fetch` for the client that reports how much of a form was sent, which the browser's own cannot. */
export function createUploadFetch(onSent: (sent: Sent) => void): Fetch {
  return (url, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      request.open(method, url);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onSent({ sentBytes: loaded, totalBytes: total });
      request.onload = () => resolve(toResponse(request));
      request.onerror = () => reject(new TypeError('the request failed'));
      request.onabort = () => reject(new DOMException('the request was aborted', 'AbortError'));
      request.onloadend = () => signal?.removeEventListener('abort', abort);
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', abort);
      request.send(body instanceof FormData ? body : null);
    });
}

function toResponse(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n').filter(Boolean);
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':');
    return [name, value.join(':').trim()];
  });
  const { status, responseText } = request;
  return new Response(status === 204 ? null : responseText, { status, headers });
}
