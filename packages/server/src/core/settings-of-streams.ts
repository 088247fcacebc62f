import { Type } from 'typebox';

const gibibyte = 1024 ** 3;

/** Live streams and videos: what may be opened, and how much of it. */
export const settingsOfStreams = {
  ffmpegPath: Type.String({
    default: 'ffmpeg',
    description:
      'The ffmpeg program that decodes live streams and videos, version 4.4 or later; without it both are off.',
  }),
  streamAllowedNetworks: Type.String({
    default: '',
    description:
      'Networks (CIDR, comma separated) that sources of streams and videos may be in, and in no others. Empty: any but loopback, link-local and multicast addresses; with openSignUp public addresses alone.',
  }),
  streamDevices: Type.String({
    default: '',
    description:
      'Devices of this machine, comma separated, that streams may read, such as /dev/video0; empty: none.',
  }),
  streamMaxPerAccount: Type.Integer({
    minimum: 0,
    default: 24,
    description:
      'Streams that an account may have; 0: no limit. Below streamMaxPerReplica, so that one account does not fill a service.',
  }),
  streamMaxPerReplica: Type.Integer({
    minimum: 1,
    default: 32,
    description:
      'Streams that this service runs at once. Of more, accounts take turns, and one without frames makes room.',
  }),
  streamMaxFps: Type.Integer({
    minimum: 1,
    default: 60,
    description:
      'Frames a second that this service analyses of all its streams together; above it each stream gets fewer.',
  }),
  streamFramesPerDay: Type.Integer({
    minimum: 0,
    default: 0,
    description:
      'Frames of streams and videos that an account may have analysed in a day (UTC); 0: no limit.',
  }),
  streamDecoderMaxBytes: Type.Integer({
    minimum: 256 * 1024 * 1024,
    default: 2 * gibibyte,
    description: 'Address space that one ffmpeg process may take; one that needs more ends.',
  }),
  streamEventDays: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 14,
    description:
      'Days for which events of streams are kept with their snapshots and clips, unless the stream says otherwise.',
  }),
  streamMediaMaxBytes: Type.Integer({
    minimum: 0,
    default: 20 * gibibyte,
    description:
      'Bytes of the snapshots and clips of an account; of more, the oldest clips are deleted first, then snapshots. 0: no limit.',
  }),
  videoMaxBytes: Type.Integer({
    minimum: 1,
    default: 4 * gibibyte,
    description: 'Largest video file.',
  }),
  videoMaxSeconds: Type.Integer({
    minimum: 1,
    default: 4 * 3600,
    description: 'Longest video, in seconds of its time.',
  }),
  videoMaxTotalBytes: Type.Integer({
    minimum: 0,
    default: 50 * gibibyte,
    description: 'Bytes of the videos of an account; 0: no limit.',
  }),
  videoDays: Type.Integer({
    minimum: 0,
    maximum: 3650,
    default: 30,
    description: 'Days for which videos and their timelines are kept; 0: until they are deleted.',
  }),
};
