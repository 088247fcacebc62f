import { serviceAddress } from '../../service/service-address.js';

/** Widths in pixels that the service makes small images of. */
export type ThumbnailWidth = 64 | 160 | 320 | 640 | 1280;

/** Where an image of a dataset is: small, or as it came. */
export function imageAddress(datasetId: number, id: number, width?: ThumbnailWidth): string {
  const query = width ? `?width=${width}` : '';
  return `${serviceAddress}/api/datasets/${datasetId}/images/${id}/content${query}`;
}
