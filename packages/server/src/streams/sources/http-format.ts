/** A demuxer of ffmpeg. */
export type HttpFormat = 'hls' | 'flv' | 'mpegts' | 'mov' | 'mpjpeg';

/** What a body is, by its first bytes and its type, or null. One image alone is `mpjpeg` as well. */
export function detectHttpFormat(start: Buffer, contentType = ''): HttpFormat | null {
  const text = start.toString('latin1');
  if (/^(\xEF\xBB\xBF)?#EXTM3U(\s|$)/.test(text)) return 'hls';
  if (text.startsWith('FLV')) return 'flv';
  if (/^....(ftyp|styp|moov|moof|sidx)/s.test(text)) return 'mov';
  if (start[0] === 0xff && start[1] === 0xd8) return 'mpjpeg';
  if (/^(multipart\/|image\/jpe?g|video\/x-m(otion)?-?jpeg)/i.test(contentType)) return 'mpjpeg';
  if (/^(\r?\n)?--/.test(text)) return 'mpjpeg';
  // A packet begins with this byte (ISO 13818-1).
  return start[0] === 0x47 ? 'mpegts' : null;
}

/** What is sent in the place of a stream, for whoever gave the address; null for what may be one. */
export function explainContent(start: Buffer, contentType = ''): string | null {
  const text = start.toString('latin1');
  if (/^text\/html/i.test(contentType) || /^\s*<(!doctype|html)/i.test(text))
    return 'the address is that of a web page; use the address of the stream that the page shows';
  if (/^image\/(?!jpe?g)/i.test(contentType) || /^(\x89PNG|GIF8|RIFF....WEBP)/s.test(text))
    return singleImage;
  return null;
}

export const singleImage =
  'the address gives a single image (a snapshot) and no stream; use the address of the motion JPEG, HLS or RTSP stream of the camera';
