import { serviceAddress } from '../service/service-address.js';

/** Of a kept image, no larger than so many pixels; the browser sends the session's cookie with it. */
export function fileImageAddress(fileid: string, width: 64 | 1280): string {
  return `${serviceAddress}/api/files/${encodeURIComponent(fileid)}/content?width=${width}`;
}
