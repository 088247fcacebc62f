/** Where frames come from. It is opened for each run of ffmpeg, and closed after it. */
export interface StreamSource {
  readonly kind: SourceKind;
  /** Rejects with a `StreamFailure` when it is known at once that nothing will come; most failures are noticed later. */
  open(signal: AbortSignal): Promise<OpenedSource>;
}

/** A file as ffmpeg knows it: the folder that it is in may be hidden. */
export const openedFile = 'file:/dev/fd/6';

export type SourceKind = 'rtsp' | 'rtmp' | 'hls' | 'mjpeg' | 'usb' | 'video';

/** What one run of ffmpeg reads. ffmpeg is given no address of a camera and no password. */
export interface OpenedSource {
  /** Arguments of ffmpeg up to and including `-i` and its value; no secret is in them. */
  readonly inputArgs: readonly string[];
  /** An absolute path of a file that these arguments call `openedFile`; left out: they name none. */
  readonly inputPath?: string;
  /** Arguments of an output that copies its video to MPEG-TS; null where that would be no video: MJPEG, raw images. */
  readonly copyArgs: readonly string[] | null;
  /** Text that ffmpeg reads at file descriptor 5 and that must not be among its arguments, or null. */
  readonly inputText: string | null;
  /** What the service noticed while it relayed, such as a refused address, 401, 404, a certificate; or null. */
  failure(): StreamFailure | null;
  /** Ends all connections. Resolves when they are gone; may be called again. */
  close(): Promise<void>;
}

export type StreamFailureCode =
  /** The address is not allowed, or what the source names is not. */
  | 'refused'
  /** The host does not answer, or the connection was cut. */
  | 'unreachable'
  /** User name or password are wrong or missing. */
  | 'credentials'
  /** The server has no such stream. */
  | 'not-found'
  /** Its certificate is not accepted. */
  | 'identity'
  /** It speaks something else, or breaks the protocol. */
  | 'protocol'
  /** There is no video in it, or none that can be decoded. */
  | 'no-video'
  /** Nothing came in time. */
  | 'timeout'
  /** The settings of the stream or of the service do not allow it. */
  | 'settings'
  /** ffmpeg is missing, or ended for a reason that is not known. */
  | 'decoder';

/** Why there are no frames. The message is for the stream's owner and holds no secret. */
export class StreamFailure extends Error {
  override readonly name = 'StreamFailure';

  constructor(
    readonly code: StreamFailureCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Whether ffmpeg found no video in what came, which a longer look may find. */
export function mayComeLater({ code }: StreamFailure): boolean {
  return code === 'no-video' || code === 'protocol';
}
