import { serviceAddress } from '../service/place.js';

/** Of a kept picture, no larger than so many pixels; the browser sends the session's cookie with it. */
export function filePictureAddress(fileid: string, width: 64 | 1280): string {
  return `${serviceAddress}/api/files/${encodeURIComponent(fileid)}/picture?width=${width}`;
}
