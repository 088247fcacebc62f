/** Of JPEG: high, for the quality of a face is judged afterwards. */
const quality = 0.95;

/** What a video shows at this moment, in its full size. */
export async function takeSnapshot(video: HTMLVideoElement): Promise<File> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('this browser draws no images');
  pen.drawImage(video, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
  return new File([blob], 'camera.jpg', { type: blob.type });
}
