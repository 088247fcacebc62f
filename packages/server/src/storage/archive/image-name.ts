const imageEnding = /\.(jpe?g|jpe|jfif|png|webp|gif|tiff?|avif|hei[cf]|bmp)$/i;

/** Whether a file is named as an image. */
export function isImageName(name: string): boolean {
  return imageEnding.test(name);
}

const rawEnding =
  /\.(3fr|arw|cr[23w]|dcr|dng|erf|fff|gpr|iiq|k25|kdc|mef|mos|mrw|nef|nrw|orf|pef|raf|raw|rw[2l]|sr[2fw]|x3f)$/i;

/** Whether a file is named as a raw file of a camera. */
export function isRawName(name: string): boolean {
  return rawEnding.test(name);
}
