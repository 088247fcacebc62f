import sharp from 'sharp';

/**
 * Prepares this process for hostile images: of libvips' many loaders only those of the accepted kinds stay enabled,
 * one thread an image (processes are the parallelism), and no cache of operations, which would hold memory and
 * never hit. To be called once, by the entry of an inference process.
 */
export function confineSharp(): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
  });
}
