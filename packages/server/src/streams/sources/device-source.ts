import { StreamFailure, type StreamSource } from './stream-source.js';

/** A camera at the machine itself, read by Video4Linux. Throws `StreamFailure` `settings` for a path that the operator has not listed. */
export function createDeviceSource(device: string, allowed: readonly string[]): StreamSource {
  if (!allowed.includes(device)) {
    throw new StreamFailure(
      'settings',
      `the device ${device} is not allowed; the operator can allow it (streamDevices)`,
    );
  }
  return {
    kind: 'usb',
    open: async () => ({
      inputArgs: ['-f', 'v4l2', '-i', device],
      copyArgs: null,
      inputText: null,
      failure: () => null,
      close: async () => {},
    }),
  };
}
