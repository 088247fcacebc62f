import type { ConnectOptions } from './connect-stream.js';
import { createDeviceSource } from './device-source.js';
import { createFileSource } from './file-source.js';
import { openHttpRelay } from './http-relay.js';
import type { SourceSettings } from './parse-source.js';
import { openRtmpRelay } from './rtmp-relay.js';
import { openRtspRelay } from './rtsp-relay.js';
import type { ReachStreamHost } from './stream-hosts.js';
import type { StreamSource } from './stream-source.js';

export interface SourceDeps {
  readonly reach: ReachStreamHost;
  /** Paths of video devices that the operator allows. */
  readonly devices: readonly string[];
  /** The absolute path of an uploaded video. Throws `StreamFailure` where there is none. */
  readonly videoPath: (videoId: string) => string;
  /** For name, connection and TLS together; 10 s unless given. */
  readonly connectTimeoutMs?: number;
  /** For the answer to one request; 15 s unless given. */
  readonly answerTimeoutMs?: number;
  /** Of the streams that an HLS playlist offers, the smallest at least so wide is taken; 1280 unless given. */
  readonly preferredWidth?: number;
}

/** The source that settings describe, as `parseSource` returns them. Throws `StreamFailure` `settings`. */
export function createSource(settings: SourceSettings, deps: SourceDeps): StreamSource {
  if (settings.kind === 'video') return createFileSource(deps.videoPath(settings.videoId));
  if (settings.kind === 'usb') return createDeviceSource(settings.device, deps.devices);
  const { username = '', password = '', isCertificateUnchecked = false } = settings;
  const connect: ConnectOptions = {
    reach: deps.reach,
    isCertificateUnchecked,
    connectTimeoutMs: deps.connectTimeoutMs ?? 10_000,
  };
  const credentials = username === '' && password === '' ? null : { username, password };
  const answerTimeoutMs = deps.answerTimeoutMs ?? 15_000;
  if (settings.kind === 'rtsp') {
    const { url, transport = 'tcp' } = settings;
    return {
      kind: 'rtsp',
      open: (signal) => openRtspRelay({ url, transport, credentials, connect, answerTimeoutMs }, signal),
    };
  }
  const { kind, url } = settings;
  if (kind === 'rtmp')
    return { kind, open: (signal) => openRtmpRelay({ url, credentials, connect }, signal) };
  const { preferredWidth = 1280 } = deps;
  return {
    kind,
    open: (signal) =>
      openHttpRelay({ kind, url, credentials, connect, answerTimeoutMs, preferredWidth }, signal),
  };
}
