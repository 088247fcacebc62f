/** What a camera offers, as ffmpeg is given it, and the addresses that stand behind the ones in it. */
export interface Description {
  readonly sdp: string;
  /** The address for requests about all of it. */
  readonly aggregate: string;
  /** The address of each medium, by the name that ffmpeg knows it by: `track0`, … */
  readonly tracks: ReadonlyMap<string, string>;
}

const maxLines = 2000;
const maxTracks = 8;

/**
 * The description (SDP, RFC 4566) with the media of video alone, and with names in the place of addresses; null when there is no
 * video. `base` is the address that relative ones are joined to.
 */
export function rewriteDescription(sdp: string, base: string): Description | null {
  const lines = sdp.split(/\r?\n/).slice(0, maxLines);
  const firstMedium = lines.findIndex((line) => line.startsWith('m='));
  if (firstMedium < 0) return null;
  const session = lines.slice(0, firstMedium);
  const sessionControl = controlOf(session);
  const aggregate = sessionControl === undefined ? base : joinControl(base, sessionControl);
  const tracks = new Map<string, string>();
  const media = splitMedia(lines.slice(firstMedium))
    .filter(([first = '']) => /^m=video\s/.test(first))
    .slice(0, maxTracks)
    .map((medium, index) => {
      const name = `track${index}`;
      tracks.set(name, joinControl(aggregate, controlOf(medium) ?? ''));
      return [...medium.filter(isKept), `a=control:${name}`];
    });
  if (media.length === 0) return null;
  const written = ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 0.0.0.0', 't=0 0', ...media.flat()];
  return { sdp: `${written.join('\r\n')}\r\n`, aggregate, tracks };
}

/** Of a medium: what it is, and what its decoder needs. */
const isKept = (line: string) =>
  /^(m=video\s|b=|a=(rtpmap|fmtp|framerate|framesize|x-dimensions|cliprect):?)/i.test(line);

function controlOf(lines: readonly string[]): string | undefined {
  const line = lines.find((each) => /^a=control:/i.test(each));
  return line?.slice('a=control:'.length).trim();
}

function splitMedia(lines: readonly string[]): string[][] {
  const media: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('m=')) media.push([line]);
    else media.at(-1)?.push(line);
  }
  return media;
}

/**
 * Cameras expect their control names appended, also where the base ends with a query: `rtsp://camera/main?channel=1/trackID=0`,
 * which resolution by RFC 3986 would not give.
 */
function joinControl(base: string, control: string): string {
  if (control === '' || control === '*') return base;
  if (/^rtsps?:\/\//i.test(control)) return withoutUser(control);
  return `${base.replace(/\/$/, '')}/${control.replace(/^\//, '')}`;
}

/** The address that a camera calls itself by, where it can stand in a request; it is never connected to. */
export function baseOf(contentBase: string | undefined, requested: string): string {
  if (contentBase === undefined || !/^rtsps?:\/\/[^\s]{1,2000}$/i.test(contentBase)) return requested;
  return withoutUser(contentBase);
}

function withoutUser(url: string): string {
  return url.replace(/^(rtsps?:\/\/)[^/?#]*@/i, '$1').replace(/\s/g, '');
}
