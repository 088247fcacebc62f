/** A demuxer of ffmpeg. */
export type HttpFormat = 'hls' | 'flv' | 'mpegts' | 'mov' | 'mpjpeg' | 'mjpeg';

/** What a body is, by its first bytes and its type, or null. One image alone is `mjpeg` as well. */
export function detectHttpFormat(start: Buffer, contentType: string | undefined): HttpFormat | null {
  const text = start.toString('latin1');
  if (/^(\xEF\xBB\xBF)?#EXTM3U(\s|$)/.test(text)) return 'hls';
  if (text.startsWith('FLV')) return 'flv';
  if (/^....(ftyp|styp|moov|moof|sidx)/s.test(text)) return 'mov';
  if (start[0] === 0xff && start[1] === 0xd8) return 'mjpeg';
  if (/^multipart\/x-mixed-replace/i.test(contentType ?? '') || /^(\r?\n)?--/.test(text)) return 'mpjpeg';
  // A packet begins with this byte (ISO 13818-1).
  return start[0] === 0x47 ? 'mpegts' : null;
}
