/** The base address of the service, with its path prefix and without a slash at the end. */
export const serviceAddress = new URL('.', document.baseURI).href.replace(/\/$/, '');

/** The path prefix, empty or such as `/lynceus`. */
export const pathPrefix = new URL(serviceAddress).pathname.replace(/\/$/, '');

/** The nonce for style elements that are added at run time; the service creates one for each page. */
export const styleNonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';

/** Widths in pixels of the thumbnails that the service makes. */
type ThumbnailWidth = 64 | 160 | 320 | 640 | 1280;

/** An image of a dataset; without a width, the original. */
export function datasetImageAddress(datasetId: number, id: number, width?: ThumbnailWidth): string {
  return content(`datasets/${datasetId}/images/${id}`, width);
}

/** All findings of the last import into a dataset, as CSV. */
export function importFindingsAddress(datasetId: number): string {
  return `${serviceAddress}/api/datasets/${datasetId}/import/findings`;
}

/** The image of a drop's file; without a width, the file itself. */
export function dropImageAddress(dropId: number, fileId: string, width?: ThumbnailWidth): string {
  return content(`drops/${dropId}/files/${encodeURIComponent(fileId)}`, width);
}

/** The image that was stored with a result. */
export function fileImageAddress(fileid: string, width: ThumbnailWidth): string {
  return content(`files/${encodeURIComponent(fileid)}`, width);
}

/** A file of a model version. */
export function versionAddress(modelId: number, number: number, file: 'model.onnx' | 'report.html'): string {
  return `${serviceAddress}/api/models/${modelId}/versions/${number}/${file}`;
}

/** The moving picture of a stream, as motion JPEG with its objects marked or not. */
export function streamViewAddress(
  id: number,
  options: { readonly fps: number; readonly hasBoxes: boolean; readonly maxSide: number },
): string {
  const { fps, hasBoxes, maxSide } = options;
  return `${serviceAddress}/api/streams/${id}/view.mjpg?fps=${fps}&boxes=${hasBoxes}&max_side=${maxSide}`;
}

/** The live image of a stream for whoever has the token. */
export function viewLinkAddress(
  id: number,
  options: { readonly kind: string; readonly hasBoxes: boolean; readonly token: string },
): string {
  const { kind, hasBoxes, token } = options;
  const query = new URLSearchParams({ boxes: String(hasBoxes), view_token: token });
  return `${serviceAddress}/api/streams/${id}/${kind}?${query}`;
}

/** The best frame of an object in a stream: as it was, or drawn by the service. */
export function snapshotAddress(
  trackId: string,
  drawn?: { readonly isCropped?: boolean; readonly hasBoxes?: boolean; readonly maxSide: number },
): string {
  const path = `${serviceAddress}/api/stream-tracks/${encodeURIComponent(trackId)}/snapshot.jpg`;
  if (!drawn) return path;
  const { isCropped = false, hasBoxes = false, maxSide } = drawn;
  return `${path}?crop=${isCropped}&boxes=${hasBoxes}&max_side=${maxSide}`;
}

/** The clip of an object in a stream. */
export function clipAddress(trackId: string): string {
  return `${serviceAddress}/api/stream-tracks/${encodeURIComponent(trackId)}/clip.mp4`;
}

/** The file of a video as it came. */
export function videoFileAddress(id: number): string {
  return `${serviceAddress}/api/videos/${id}/file`;
}

/** What was found when in a video. */
export function timelineAddress(id: number, format: 'json' | 'csv' | 'vtt'): string {
  return `${serviceAddress}/api/videos/${id}/timeline?format=${format}`;
}

/** The image of an object that was found in a video. */
export function videoThumbnailAddress(id: number, thumbnail: string): string {
  return `${serviceAddress}/api/videos/${id}/thumbnails/${encodeURIComponent(thumbnail)}`;
}

function content(path: string, width?: ThumbnailWidth): string {
  return `${serviceAddress}/api/${path}/content${width === undefined ? '' : `?width=${width}`}`;
}
