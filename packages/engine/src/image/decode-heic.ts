import type { Libheif } from 'libheif-js/libheif-wasm/libheif-bundle.js';
import { EngineError } from '../errors.js';
import type { ImageLimits } from './image.js';
import { checkPixels, type Pixels } from './pixels.js';

/**
 * Decodes the primary image of a HEIC file by libheif in WebAssembly: sharp's libheif comes without an HEVC
 * decoder. Rotation and mirroring are those of the container (irot, imir) and are applied; EXIF orientation must not be
 * (ISO/IEC
 * 23008-12). Every image gets an instance of its own, 10 ms: its memory, which can only grow, is released with the
 * image, and a fault inside cannot affect the next one.
 * @param onSize Called with its pixels before they are decoded.
 */
export async function decodeHeic(
  bytes: Uint8Array,
  limits: ImageLimits,
  onSize?: (pixels: number) => void,
): Promise<Pixels> {
  const { default: createLibheif } = await import('libheif-js/libheif-wasm/libheif-bundle.js');
  try {
    const libheif = createLibheif();
    const handle = primaryHandle(libheif, bytes);
    const width = libheif.heif_image_handle_get_width(handle);
    const height = libheif.heif_image_handle_get_height(handle);
    checkPixels(width, height, limits);
    onSize?.(width * height);
    return await decodeHandle(libheif, handle, limits);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    // The instance aborted: it ran out of memory, or the file is invalid.
    throw new EngineError(
      'image-corrupt',
      'the image is truncated or damaged: its HEIC data cannot be decoded',
      {
        cause: error,
      },
    );
  }
}

function primaryHandle(libheif: Libheif, bytes: Uint8Array): object {
  const context = libheif.heif_context_alloc();
  if (!context) throw new EngineError('internal', 'libheif gives no context');
  const read = libheif.heif_context_read_from_memory(context, bytes);
  if (read.code !== libheif.heif_error_code.heif_error_Ok) {
    throw new EngineError(
      'image-corrupt',
      `the image is truncated or damaged: ${read.message ?? 'no HEIC file'}`,
    );
  }
  const ids = libheif.heif_js_context_get_list_of_top_level_image_IDs(context);
  const handles = Array.isArray(ids)
    ? ids.map((id: number) => libheif.heif_js_context_get_image_handle(context, id))
    : [];
  const primary = handles.find((handle) => libheif.heif_image_handle_is_primary_image(handle)) ?? handles[0];
  if (!primary)
    throw new EngineError('image-corrupt', 'the image is truncated or damaged: the HEIC file has no image');
  return primary;
}

async function decodeHandle(libheif: Libheif, handle: object, limits: ImageLimits): Promise<Pixels> {
  const decoded = await libheif.heif_js_decode_image2(
    handle,
    libheif.heif_colorspace.heif_colorspace_RGB,
    libheif.heif_chroma.heif_chroma_interleaved_RGBA,
  );
  const channel =
    'channels' in decoded
      ? decoded.channels.find(({ id }) => id === libheif.heif_channel.heif_channel_interleaved)
      : undefined;
  if (!channel) {
    const message = 'message' in decoded ? decoded.message : undefined;
    throw new EngineError(
      'image-corrupt',
      `the image is truncated or damaged: ${message ?? 'its HEIC data is unreadable'}`,
    );
  }
  const { width, height, stride, data } = channel;
  // The sizes in the container and in the coded image may differ.
  checkPixels(width, height, limits);
  const rowBytes = width * 4;
  const pixels = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1)
    pixels.set(data.subarray(y * stride, y * stride + rowBytes), y * rowBytes);
  return { data: pixels, width, height, channels: 4 };
}
