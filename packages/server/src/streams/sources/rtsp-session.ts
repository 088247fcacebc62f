import type { Socket } from 'node:net';
import { type ConnectOptions, connectStream, writeSlowly } from './connect-stream.js';
import { type Credentials, createAuthenticator } from './http-auth.js';
import { authorityOf, type StreamAddress, streamAddress } from './parse-source.js';
import { type RtspAnswer, RtspConnection, type RtspRequest } from './rtsp-connection.js';
import { baseOf, type Description, rewriteDescription } from './rtsp-description.js';
import { headerOf, type RtspItem, writeMessage } from './rtsp-messages.js';
import { parseTransport, writeTcpTransport, writeUdpTransport } from './rtsp-transport.js';
import { openUdpPath, type UdpPath } from './rtsp-udp.js';
import { StreamFailure } from './stream-source.js';

export interface RtspSessionOptions {
  readonly address: StreamAddress;
  /** A connection to the address. */
  readonly firstSocket: Socket;
  readonly credentials: Credentials | null;
  readonly transport: 'tcp' | 'udp';
  readonly connect: ConnectOptions;
  readonly answerTimeoutMs: number;
  /** The address by which ffmpeg asks. */
  readonly localBase: string;
  readonly onFailure: (failure: StreamFailure) => void;
}

type LocalRequest = Extract<RtspItem, { readonly kind: 'request' }>;
type Header = readonly [name: string, value: string | undefined];

const methods: ReadonlySet<string> = new Set([
  ...['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY', 'PAUSE', 'TEARDOWN', 'GET_PARAMETER', 'SET_PARAMETER'],
]);
/** Without these there is no video. */
const needed: ReadonlySet<string> = new Set(['DESCRIBE', 'SETUP', 'PLAY']);
const maxRedirects = 3;

/** What one ffmpeg asks, asked of the camera in its own addresses, and the answers in those of ffmpeg. */
export class RtspSession {
  readonly #client: Socket;
  readonly #options: RtspSessionOptions;
  readonly #stop = new AbortController();
  readonly #udp: UdpPath[] = [];
  #address: StreamAddress;
  #redirects = 0;
  #connection: RtspConnection | null = null;
  #description: Description | null = null;

  constructor(client: Socket, options: RtspSessionOptions) {
    this.#client = client;
    this.#options = options;
    this.#address = options.address;
    client.once('close', () => {
      this.#stop.abort();
      // Ends what waits for an answer of the camera.
      this.#connection?.close();
    });
  }

  async answer(request: LocalRequest): Promise<void> {
    const uri = () => this.#remoteUri(request.uri);
    if (!methods.has(request.method)) return this.#reply(request, 501, []);
    if (uri() === null) return this.#reply(request, 404, []);
    try {
      await this.#forward(request, await this.#headersFor(request), () => uri() ?? '');
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (!(error instanceof StreamFailure)) throw error;
      this.#end(error);
    }
  }

  /** Reports of ffmpeg on what it received. */
  async sendFrames(bytes: Buffer): Promise<void> {
    await this.#connection?.sendFrames(bytes);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#connection?.close();
    await Promise.all([this.#connection?.ended, ...this.#udp.map((path) => path.close())]);
  }

  async #forward(request: LocalRequest, headers: readonly Header[], uri: () => string): Promise<void> {
    for (;;) {
      const connection = await this.#connect();
      let location: string | null = null;
      const asked: RtspRequest = { method: request.method, uri: uri(), headers, body: '' };
      await connection.ask(asked, (answer) => {
        location = this.#description === null ? redirectOf(answer) : null;
        if (location === null) this.#takeAnswer(request, asked, answer);
      });
      if (location === null) return;
      this.#follow(location);
    }
  }

  async #connect(): Promise<RtspConnection> {
    if (this.#connection !== null) return this.#connection;
    const own = this.#options.address;
    const socket = this.#redirects === 0 ? this.#options.firstSocket : await this.#connectElsewhere();
    const isOwn = authorityOf(this.#address) === authorityOf(own) && this.#address.isTls === own.isTls;
    const connection = new RtspConnection(socket, {
      host: this.#address.host,
      // A server that redirects elsewhere gives no other one the password, nor itself without TLS.
      authenticator: createAuthenticator(isOwn ? this.#options.credentials : null),
      answerTimeoutMs: this.#options.answerTimeoutMs,
      onFrames: (bytes) => writeSlowly(this.#client, bytes),
    });
    this.#connection = connection;
    connection.ended.then((failure) => {
      if (this.#connection !== connection || this.#stop.signal.aborted) return;
      if (failure !== null) this.#options.onFailure(failure);
      this.#client.destroySoon();
    });
    return connection;
  }

  /** A certificate is left unchecked at the host for which that was said. */
  async #connectElsewhere(): Promise<Socket> {
    const { connect, address } = this.#options;
    const isCertificateUnchecked = connect.isCertificateUnchecked && this.#address.host === address.host;
    return connectStream(this.#address, { ...connect, isCertificateUnchecked }, this.#stop.signal);
  }

  #follow(location: string): void {
    this.#redirects += 1;
    const address = streamAddress(location.replace(/^(rtsps?:\/\/)[^/?#]*@/i, '$1'));
    if (this.#redirects > maxRedirects) {
      throw new StreamFailure('protocol', `the camera redirects more than ${maxRedirects} times`);
    }
    if (address === null || !address.scheme.startsWith('rtsp')) {
      throw new StreamFailure('refused', 'the camera redirects to something that is no RTSP address');
    }
    this.#address = address;
    const connection = this.#connection;
    this.#connection = null;
    connection?.close();
  }

  #remoteUri(local: string): string | null {
    const { localBase } = this.#options;
    if (local !== localBase && !local.startsWith(`${localBase}/`)) return null;
    const name = local.slice(localBase.length + 1);
    const { scheme, path } = this.#address;
    if (name === '')
      return this.#description?.aggregate ?? `${scheme}://${authorityOf(this.#address)}${path}`;
    return this.#description?.tracks.get(name) ?? null;
  }

  async #headersFor({ method, message }: LocalRequest): Promise<readonly Header[]> {
    const kept: Header[] = [
      ['Session', headerOf(message, 'session')],
      ['Range', headerOf(message, 'range')],
    ];
    if (method === 'DESCRIBE') return [['Accept', 'application/sdp']];
    if (method !== 'SETUP') return kept;
    const asked = parseTransport(headerOf(message, 'transport') ?? '');
    if (this.#options.transport === 'tcp' && asked?.isTcp && asked.interleaved !== null) {
      return [...kept, ['Transport', writeTcpTransport(asked.interleaved)]];
    }
    if (this.#options.transport === 'tcp' || asked?.isTcp !== false || asked.clientPort === null) {
      throw new StreamFailure('decoder', 'ffmpeg asked for another transport than it was started with');
    }
    const connection = await this.#connect();
    const path = await openUdpPath({ localAddress: connection.localAddress, clientPort: asked.clientPort });
    this.#udp.push(path);
    return [...kept, ['Transport', writeUdpTransport(path.remoteSidePorts)]];
  }

  #takeAnswer(request: LocalRequest, asked: RtspRequest, answer: RtspAnswer): void {
    const { method } = request;
    const { status, message } = answer;
    if (status !== 200) {
      if (needed.has(method))
        this.#options.onFailure(explainStatus(status, this.#options.credentials !== null));
      // A camera that knows no OPTIONS can still be asked for what it shows.
      this.#reply(request, method === 'OPTIONS' && status !== 401 ? 200 : status, []);
      return;
    }
    const session: Header = ['Session', headerOf(message, 'session')];
    if (method === 'DESCRIBE') this.#describe(request, asked.uri, answer);
    else if (method === 'SETUP')
      this.#reply(request, 200, [session, ['Transport', this.#transportFor(request, answer)]]);
    else this.#reply(request, 200, [session, ['Public', headerOf(message, 'public')]]);
  }

  #describe(request: LocalRequest, uri: string, { message }: RtspAnswer): void {
    const base = baseOf(headerOf(message, 'content-base') ?? headerOf(message, 'content-location'), uri);
    const description = rewriteDescription(message.body, base);
    if (description === null)
      throw new StreamFailure('no-video', 'the camera offers no video at this address');
    this.#description = description;
    this.#reply(request, 200, [['Content-Type', 'application/sdp']], description.sdp);
  }

  #transportFor(request: LocalRequest, { message }: RtspAnswer): string {
    const answered = parseTransport(headerOf(message, 'transport') ?? '');
    const asked = parseTransport(headerOf(request.message, 'transport') ?? '');
    if (this.#options.transport === 'tcp') {
      const channels = answered?.interleaved ?? asked?.interleaved ?? null;
      if (answered?.isTcp !== true || channels === null) {
        throw new StreamFailure(
          'protocol',
          'the camera does not send its video over TCP; choose UDP as transport',
        );
      }
      return writeTcpTransport(channels);
    }
    const path = this.#udp.at(-1);
    if (answered === null || answered.isTcp || asked?.clientPort == null || path === undefined) {
      throw new StreamFailure(
        'protocol',
        'the camera does not send its video over UDP; choose TCP as transport',
      );
    }
    path.connect(this.#connection?.remoteAddress ?? '', answered.serverPort);
    return writeUdpTransport(asked.clientPort, path.localSidePorts);
  }

  #reply({ message }: LocalRequest, status: number, headers: readonly Header[], body = ''): void {
    if (!this.#client.writable) return;
    const cseq: Header = ['CSeq', headerOf(message, 'cseq')];
    this.#client.write(
      writeMessage(`RTSP/1.0 ${status} ${status === 200 ? 'OK' : 'Error'}`, [cseq, ...headers], body),
    );
  }

  #end(failure: StreamFailure): void {
    this.#options.onFailure(failure);
    this.#client.destroySoon();
  }
}

function redirectOf({ status, message }: RtspAnswer): string | null {
  return status >= 300 && status < 400 ? (headerOf(message, 'location') ?? '') : null;
}

function explainStatus(status: number, hasCredentials: boolean): StreamFailure {
  if (status === 401 || status === 403) {
    const text = hasCredentials
      ? 'the camera refuses user name and password'
      : 'the camera asks for user name and password';
    return new StreamFailure('credentials', text);
  }
  if (status === 404)
    return new StreamFailure('not-found', 'the camera has no stream at this address; check its path');
  if (status === 461)
    return new StreamFailure('settings', 'the camera does not support this transport; choose the other one');
  if (status === 453)
    return new StreamFailure('unreachable', 'the camera has too little bandwidth for one more viewer');
  if (status === 503) return new StreamFailure('unreachable', 'the camera serves as many viewers as it can');
  return new StreamFailure('protocol', `the camera answers RTSP status ${status}`);
}
