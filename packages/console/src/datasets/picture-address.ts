import { serviceAddress } from '../service/place.js';

/** Widths in pixels that the service makes small pictures of. */
export type ThumbnailWidth = 64 | 160 | 320 | 640 | 1280;

/** Where a picture of a dataset is: small, or as it came. */
export function pictureAddress(datasetId: number, id: number, width?: ThumbnailWidth): string {
  const query = width ? `?width=${width}` : '';
  return `${serviceAddress}/api/datasets/${datasetId}/pictures/${id}/picture${query}`;
}
