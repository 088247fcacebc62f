import type { Socket } from 'node:net';
import { writeSlowly } from './connect-stream.js';
import { explainConnection } from './explain-connection.js';
import type { Authenticator } from './http-auth.js';
import { headerOf, headersOf, type RtspMessage, RtspParser, writeMessage } from './rtsp-messages.js';
import { StreamFailure } from './stream-source.js';

export interface RtspRequest {
  readonly method: string;
  readonly uri: string;
  readonly headers: readonly (readonly [name: string, value: string | undefined])[];
  readonly body: string;
}

export interface RtspAnswer {
  readonly status: number;
  readonly message: RtspMessage;
}

interface Pending {
  readonly request: RtspRequest;
  readonly take: (answer: RtspAnswer) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
  cseq: number;
  attempts: number;
}

interface RtspConnectionOptions {
  readonly host: string;
  readonly authenticator: Authenticator;
  readonly answerTimeoutMs: number;
  /** Interleaved frames; no more are read until it resolves. */
  readonly onFrames: (bytes: Buffer) => Promise<void>;
}

/** A challenge, one with an expired nonce, and one to spare. */
const maxAttempts = 3;
/** For what is still to be sent when the connection is closed. */
const goodbyeMs = 1000;

/** A connection to a camera: one request at a time, with authorization where the camera asks for it. */
export class RtspConnection {
  readonly #socket: Socket;
  readonly #options: RtspConnectionOptions;
  #pending: Pending | null = null;
  #cseq = 0;
  /** Of the session that is to be ended when the connection is. */
  #open: { readonly session: string; readonly uri: string } | null = null;
  /** Resolves when the connection is gone, with the reason unless it was closed here. */
  readonly ended: Promise<StreamFailure | null>;

  constructor(socket: Socket, options: RtspConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.ended = this.#readAll().then((failure) => {
      this.#leave(failure ?? new StreamFailure('unreachable', `${options.host} closed the connection`));
      return failure;
    });
  }

  get localAddress(): string {
    return this.#socket.localAddress ?? '0.0.0.0';
  }

  get remoteAddress(): string {
    return this.#socket.remoteAddress ?? '';
  }

  /** Calls `take` with the answer before anything that follows it is read. Rejects with a `StreamFailure`. */
  ask(request: RtspRequest, take: (answer: RtspAnswer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const { host, answerTimeoutMs } = this.#options;
      const late = () =>
        this.#fail(new StreamFailure('timeout', `${host} does not answer ${request.method}`));
      const timer = setTimeout(late, answerTimeoutMs);
      this.#pending = { request, take, resolve, reject, timer, cseq: 0, attempts: 0 };
      this.#send(this.#pending);
    });
  }

  sendFrames(bytes: Buffer): Promise<void> {
    return writeSlowly(this.#socket, bytes);
  }

  /** Ends the session at the camera, of which many keep only a few, and the connection. */
  close(): void {
    if (this.#open !== null && this.#socket.writable) {
      const { session, uri } = this.#open;
      this.#open = null;
      this.#cseq += 1;
      this.#socket.write(
        writeMessage(`TEARDOWN ${uri} RTSP/1.0`, [
          ['CSeq', String(this.#cseq)],
          ['Session', session],
          ['Authorization', this.#options.authenticator.authorize('TEARDOWN', uri)],
        ]),
      );
    }
    this.#socket.destroySoon();
    // A camera that never reads would keep it open.
    const timer = setTimeout(() => this.#socket.destroy(), goodbyeMs).unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }

  #send(pending: Pending): void {
    const { method, uri, headers, body } = pending.request;
    this.#cseq += 1;
    pending.cseq = this.#cseq;
    pending.attempts += 1;
    const sent = writeMessage(
      `${method} ${uri} RTSP/1.0`,
      [
        ['CSeq', String(this.#cseq)],
        ['User-Agent', 'Lynceus'],
        ...headers,
        ['Authorization', this.#options.authenticator.authorize(method, uri)],
      ],
      body,
    );
    if (this.#socket.writable) this.#socket.write(sent);
    else this.#fail(new StreamFailure('unreachable', `${this.#options.host} closed the connection`));
  }

  async #readAll(): Promise<StreamFailure | null> {
    const parser = new RtspParser();
    const source: AsyncIterable<Buffer> = this.#socket;
    try {
      for await (const chunk of source) {
        for (const item of parser.push(chunk)) {
          if (item.kind === 'frames') await this.#options.onFrames(item.bytes);
          else if (item.kind === 'answer') this.#takeAnswer(item);
          else await this.#refuse(item.method, item.message);
        }
      }
      return null;
    } catch (error) {
      return explainConnection(error, this.#options.host);
    } finally {
      this.#socket.destroy();
    }
  }

  #takeAnswer(answer: RtspAnswer): void {
    const pending = this.#pending;
    if (pending === null || answer.status < 200) return;
    const cseq = headerOf(answer.message, 'cseq');
    if (cseq !== undefined && cseq !== String(pending.cseq)) return;
    const { authenticator } = this.#options;
    if (
      answer.status === 401 &&
      pending.attempts < maxAttempts &&
      authenticator.accept(headersOf(answer.message, 'www-authenticate'))
    ) {
      this.#send(pending);
      return;
    }
    this.#pending = null;
    clearTimeout(pending.timer);
    this.#remember(pending.request, answer);
    try {
      pending.take(answer);
      pending.resolve();
    } catch (error) {
      pending.reject(error);
    }
  }

  #remember({ method, uri }: RtspRequest, { status, message }: RtspAnswer): void {
    const session = headerOf(message, 'session')?.split(';')[0]?.trim();
    if (method === 'TEARDOWN') this.#open = null;
    else if (method === 'SETUP' && status === 200 && session) this.#open ??= { session, uri };
  }

  /** Servers may ask as well: whether anybody is there, or to go elsewhere. */
  async #refuse(method: string, message: RtspMessage): Promise<void> {
    const status = /^(OPTIONS|GET_PARAMETER|SET_PARAMETER)$/.test(method) ? '200 OK' : '501 Not Implemented';
    const headers = [
      ['CSeq', headerOf(message, 'cseq')],
      ['Session', headerOf(message, 'session')],
    ] as const;
    // One that never reads the answers is not read either: they would pile up here.
    await writeSlowly(this.#socket, writeMessage(`RTSP/1.0 ${status}`, headers));
  }

  #fail(failure: StreamFailure): void {
    this.#socket.destroy(failure);
    this.#leave(failure);
  }

  #leave(failure: StreamFailure): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending === null) return;
    clearTimeout(pending.timer);
    pending.reject(failure);
  }
}
