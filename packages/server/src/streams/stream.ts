import { type Static, Type } from 'typebox';
import { oneLine } from '../core/one-line.js';
import type { StreamSettings } from './stream-settings.js';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const addressText = 'an address such as rtsp://192.168.1.20/stream1';

const Address = Type.String({ minLength: 1, maxLength: 2000, pattern: oneLine, description: addressText });
const Username = orNull(
  Type.String({ maxLength: 200, pattern: oneLine }),
  'a user name of at most 200 characters, control characters not among them, or null',
);
const Password = orNull(
  Type.String({ maxLength: 200, pattern: oneLine }),
  'a password of at most 200 characters, control characters not among them; null for none; left out, it stays while host and user name do',
);
const Transport = orNull(Type.Enum(['tcp', 'udp']), 'tcp or udp, for RTSP; null for tcp');

export const substreamText =
  'a second, smaller stream of the same camera, which is analysed in place of the first; null for none';

export const sourceKinds = ['rtsp', 'rtmp', 'hls', 'mjpeg', 'usb', 'video'] as const;

export const SourceKind = Type.Enum([...sourceKinds], {
  title: 'StreamSourceKind',
  description: `one of ${sourceKinds.join(', ')}`,
});

/** Where the frames of a stream shall come from, secrets and all. Absent and null are alike, but for passwords. */
export const SourceInput = Type.Object(
  {
    kind: SourceKind,
    address: Type.Optional(orNull(Address, `${addressText}; null for usb and video`)),
    username: Type.Optional(Username),
    password: Type.Optional(Password),
    transport: Type.Optional(Transport),
    device: Type.Optional(
      orNull(
        Type.String({ minLength: 1, maxLength: 200, pattern: oneLine }),
        'the path of a device, for usb, such as /dev/video0',
      ),
    ),
    videoId: Type.Optional(
      orNull(
        Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
        'the number of a video of the account, for video',
      ),
    ),
    certificateUnchecked: Type.Optional(
      Type.Boolean({ description: 'true for a camera whose certificate nobody signed' }),
    ),
    substream: Type.Optional(
      orNull(
        Type.Object(
          {
            address: Address,
            username: Type.Optional(Username),
            password: Type.Optional(Password),
            transport: Type.Optional(Transport),
          },
          { additionalProperties: false },
        ),
        substreamText,
      ),
    ),
  },
  { additionalProperties: false },
);
export type SourceInput = Static<typeof SourceInput>;

/** One address of a source, without what is secret. */
export interface ShownAddress {
  /** Without credentials, with hidden values in the place of secret ones. */
  readonly address: string;
  readonly username: string | null;
  readonly hasPassword: boolean;
  readonly transport: 'tcp' | 'udp';
}

/** Where the frames of a stream come from, without what is secret. */
export interface ShownSource extends Omit<ShownAddress, 'address'> {
  readonly kind: (typeof sourceKinds)[number];
  readonly address: string | null;
  readonly device: string | null;
  readonly videoId: number | null;
  readonly certificateUnchecked: boolean;
  readonly substream: ShownAddress | null;
}

/** A camera or another live source, and what is looked for in its frames. Times are milliseconds since 1970. */
export interface Stream {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly source: ShownSource;
  readonly settings: StreamSettings;
  /** Counted up by each change. */
  readonly revision: number;
  readonly createdAt: number;
}
