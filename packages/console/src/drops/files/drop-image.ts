import { serviceAddress } from '../../service/service-address.js';

/** Of a drop's file: its image no larger than so many pixels, or the file itself. The browser sends the session's cookie. */
export function dropImageAddress(dropId: number, fileId: string, width?: 64 | 160 | 640 | 1280): string {
  const query = width === undefined ? '' : `?width=${width}`;
  return `${serviceAddress}/api/drops/${dropId}/files/${encodeURIComponent(fileId)}/content${query}`;
}
