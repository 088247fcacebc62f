import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { explainConnection } from './explain-connection.js';
import { maxPlaylistBytes, rewritePlaylist } from './hls-playlist.js';
import { parseChallenges } from './http-auth.js';
import { detectHttpFormat, explainContent, type HttpFormat } from './http-format.js';
import { listenLocally } from './local-listener.js';
import { motionJpegType, writeMotionJpeg } from './motion-jpeg.js';
import { createRelayNames, type Named } from './relay-names.js';
import { peekBody, type RemoteBody, readText } from './remote-body.js';
import { createRemoteHttp, type RemoteAnswer, type RemoteHttpOptions } from './remote-http.js';
import { type OpenedSource, StreamFailure } from './stream-source.js';
import { withinTime } from './within-time.js';

export interface HttpRelayOptions extends Omit<RemoteHttpOptions, 'address'> {
  /** Without user name and password. */
  readonly url: string;
  readonly kind: 'hls' | 'mjpeg';
  /** Of several streams of a playlist the smallest at least so wide is taken. */
  readonly preferredWidth: number;
}

/** A live playlist is asked for again and again; by what it says itself without pause. */
const playlistPauseMs = 500;
const passedHeaders = ['content-type', 'content-length', 'content-range', 'accept-ranges'];

/**
 * A server of HTTP for one ffmpeg. It knows addresses by names of its own: that of the stream, and those that playlists name. It fetches
 * them after the check of each address, with user name and password where they belong. The stream is asked for at once: ffmpeg is then
 * given its format, or not started at all. Rejects with a `StreamFailure`.
 */
export async function openHttpRelay(
  { url, kind, preferredWidth, ...options }: HttpRelayOptions,
  signal: AbortSignal,
): Promise<OpenedSource> {
  const root: Named = { address: new URL(url), role: 'root' };
  // Some cameras begin with an image, or with the headers of one, and say no type.
  const formatOf = ({ start, answer }: RemoteBody) =>
    detectHttpFormat(start, answer.header('content-type')) ?? (kind === 'mjpeg' ? 'mpjpeg' : null);
  const remote = createRemoteHttp({ ...options, address: root.address });
  let failure: StreamFailure | null = null;

  const fetchNamed = async (
    { address, role }: Named,
    range: string | undefined,
    within: AbortSignal,
  ): Promise<RemoteBody> => {
    const isLive = role === 'root' && kind === 'mjpeg';
    const answer = await remote.get(address, { range, isLive }, within);
    if (answer.status !== 200 && answer.status !== 206) {
      answer.body.destroy();
      throw explainStatus(answer, options.credentials !== null);
    }
    const body = await peekBody(answer);
    const other = role === 'root' ? explainContent(body.start, answer.header('content-type')) : null;
    if (other !== null) {
      body.discard();
      throw new StreamFailure('no-video', other);
    }
    const isList = formatOf(body) === 'hls';
    if (role === 'variant' ? isList : !isList || (role === 'root' && kind === 'hls')) return body;
    body.discard();
    // What a playlist names is what it says it is: no chain has no end.
    throw new StreamFailure(
      'protocol',
      isList ? 'it sends a playlist where video was expected' : 'it sends no playlist where one was expected',
    );
  };

  // The stream is read for longer than the call that opens it.
  const stop = new AbortController();
  let first: RemoteBody | null = await withinTime(signal, options.answerTimeoutMs, async (within) => {
    within.signal.addEventListener('abort', () => stop.abort());
    try {
      return await fetchNamed(root, undefined, stop.signal);
    } catch (error) {
      await remote.close();
      if (signal.aborted) throw signal.reason;
      throw explainConnection(error, root.address.hostname, within.isLate());
    }
  });
  const format = formatOf(first);
  const names = createRelayNames(root, format === 'hls' ? 'm3u8' : 'bin');

  const takeFirst = (range: string | undefined): RemoteBody | null => {
    const taken = range === undefined || range === 'bytes=0-' ? first : null;
    if (taken !== null) first = null;
    return taken;
  };
  const pause = createPause(playlistPauseMs);

  const answer = async (request: IncomingMessage, response: ServerResponse, closed: AbortSignal) => {
    const named = names.find(request.url ?? '');
    if (named === undefined || request.method !== 'GET') return refuse(response, 404);
    const isList = named.role === 'variant' || (named.role === 'root' && format === 'hls');
    const range = isList ? undefined : request.headers.range;
    if (isList) await pause(named.address.href, closed);
    const held = named.role === 'root' ? takeFirst(range) : null;
    const body = held ?? (await fetchNamed(named, range, closed));
    const bodyFormat = formatOf(body);
    if (bodyFormat === 'mpjpeg') return passMotionJpeg(response, body, closed);
    if (bodyFormat !== 'hls') return pass(response, body, closed);
    const text = rewritePlaylist(await readText(body, maxPlaylistBytes), {
      base: body.answer.address,
      mayNamePlaylists: named.role === 'root',
      preferredWidth,
      rename: names.nameOf,
    });
    failure = null;
    response.setHeader('content-type', 'application/vnd.apple.mpegurl');
    return void response.end(text);
  };

  const server = createServer({ maxHeaderSize: 16_384 }, (request, response) => {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    answer(request, response, closed.signal).catch((error: unknown) => {
      if (closed.signal.aborted && !(error instanceof StreamFailure)) return;
      // That a segment is gone is no failure of a live stream.
      const isSegment = names.find(request.url ?? '')?.role === 'segment';
      const noticed = explainConnection(error, root.address.hostname);
      if (!isSegment || noticed.code !== 'not-found') failure = noticed;
      refuse(response, noticed.code === 'not-found' ? 404 : 502);
    });
  });
  server.maxConnections = 16;
  const listener = await listenLocally(server);
  return {
    inputArgs: [
      ...inputArgs(format),
      ...[
        '-protocol_whitelist',
        'http,tcp,crypto',
        '-i',
        `http://127.0.0.1:${listener.port}${names.rootPath}`,
      ],
    ],
    copyArgs: format === 'mpjpeg' ? null : [],
    inputText: null,
    failure: () => failure,
    async close() {
      stop.abort();
      await listener.close();
      await remote.close();
    },
  };
}

function inputArgs(format: HttpFormat | null): string[] {
  // A segment comes at once; its frames are wanted in their time.
  if (format === 'hls') return ['-format_whitelist', 'hls,mpegts,mov,aac', '-f', 'hls', '-re'];
  if (format !== null) return ['-format_whitelist', format, '-f', format];
  return ['-format_whitelist', 'mpegts,mov,flv,matroska'];
}

/** Waits until a time has passed since the same key was last asked for. */
function createPause(pauseMs: number): (key: string, signal: AbortSignal) => Promise<void> {
  let last: { readonly key: string; readonly atMs: number } | null = null;
  return async (key, signal) => {
    // Of a clock that nobody sets.
    const now = performance.now();
    const atMs = last?.key === key ? Math.max(now, last.atMs + pauseMs) : now;
    last = { key, atMs };
    if (atMs > now) await wait(atMs - now, undefined, { signal });
  };
}

/** What a camera sends between its images is not always what ffmpeg expects there. */
async function passMotionJpeg(
  response: ServerResponse,
  body: RemoteBody,
  signal: AbortSignal,
): Promise<void> {
  response.setHeader('content-type', motionJpegType);
  await pipeline(Readable.from(writeMotionJpeg(body.read()), { objectMode: false }), response, { signal });
}

async function pass(response: ServerResponse, body: RemoteBody, signal: AbortSignal): Promise<void> {
  response.statusCode = body.answer.status;
  for (const name of passedHeaders) {
    const value = body.answer.header(name);
    if (value !== undefined) response.setHeader(name, value);
  }
  await pipeline(Readable.from(body.read(), { objectMode: false }), response, { signal });
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-length': 0 }).end();
}

function explainStatus({ status, header }: RemoteAnswer, hasCredentials: boolean): StreamFailure {
  const challenge = header('www-authenticate');
  if (status === 401 || (status === 403 && challenge !== undefined)) {
    return new StreamFailure('credentials', explainChallenge(challenge, hasCredentials));
  }
  if (status === 403) {
    const whom = hasCredentials ? 'this user' : 'a request without user name and password';
    return new StreamFailure(
      'credentials',
      `the server refuses this address to ${whom} (HTTP status 403); check the path, what the user may see there, and which clients the camera lets in`,
    );
  }
  if (status === 404 || status === 410) {
    return new StreamFailure('not-found', 'there is no stream at this address; check its path');
  }
  return new StreamFailure('unreachable', `the server answers HTTP status ${status}`);
}

function explainChallenge(challenge = '', hasCredentials: boolean): string {
  const schemes = parseChallenges(challenge).map(({ scheme }) => scheme);
  if (schemes.length > 0 && !schemes.some((scheme) => scheme === 'basic' || scheme === 'digest'))
    return `the server asks for a log-in by ${schemes.join(', ')}; only Basic and Digest are supported`;
  return hasCredentials
    ? 'the server refuses user name and password'
    : 'the server asks for user name and password';
}
