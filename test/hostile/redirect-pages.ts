import type { RequestListener } from 'node:http';
import type { Pages } from './remote-server.js';

const redirect =
  (location: string, code = 302): RequestListener =>
  (_request, response) =>
    response.writeHead(code, { location }).end();

/** Pages that redirect; `host` is their own, with its port. */
export function makeRedirects(host: string): Pages {
  const loopback = 'http://127.0.0.1:8080/livez';
  const pages: Record<string, RequestListener> = {
    '/relative': redirect('image'),
    '/protocol-relative': redirect(`//${host}/image`),
    '/three-times': redirect('/twice-to-image'),
    '/twice-to-image': redirect('/to-image'),
    '/to-image': redirect('/image'),
    '/four-times': redirect('/three-times'),
    '/round': redirect('/round'),
    '/304': (_request, response) => response.writeHead(304).end(),
    '/to-loopback': redirect(loopback),
    '/twice-to-loopback': redirect('/to-loopback'),
    '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
    '/to-mapped': redirect('http://[::ffff:127.0.0.1]/'),
    '/to-user': redirect(`http://user@${host}/image`),
    '/to-low-port': redirect('http://127.0.0.2:22/'),
    '/to-file': redirect('file:///etc/passwd'),
    '/to-gopher': redirect(`gopher://${host}/image`),
    '/to-data': redirect('data:image/png;base64,AAAA'),
    '/to-script': redirect('javascript:alert(1)'),
    '/to-nonsense': redirect('http://['),
    '/to-nowhere': (_request, response) => response.writeHead(302).end(),
    '/refresh': (_request, response) =>
      response
        .writeHead(200, { refresh: `0; url=${loopback}` })
        .end(`<meta http-equiv="refresh" content="0; url=${loopback}">`),
  };
  for (const code of [300, 301, 303, 305, 307, 308]) {
    pages[`/${code}-to-image`] = redirect('/image', code);
    if (code !== 300 && code !== 305) pages[`/${code}-to-loopback`] = redirect(loopback, code);
  }
  return pages;
}
