import { serviceAddress } from '../../service/service-address.js';

/** Files of a version, which the browser fetches by itself: straight to the disk, or as a page of their own. */
export function versionAddress(modelId: number, number: number, file: 'model.onnx' | 'report.html'): string {
  return `${serviceAddress}/api/models/${modelId}/versions/${number}/${file}`;
}
