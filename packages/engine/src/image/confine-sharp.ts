import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const fontsFolder = new URL('../../assets/fonts/', import.meta.url);

/**
 * Prepares this process for hostile images: of libvips' many loaders only those of the accepted kinds stay enabled,
 * one thread an image (processes are the parallelism), and no cache of operations, which would hold memory and
 * never hit. To be called once, by the entry of an inference process.
 */
export function confineSharp(): void {
  // Without any configuration fontconfig writes an error to standard error when the first text is drawn.
  if (!existsSync('/etc/fonts/fonts.conf')) {
    process.env['FONTCONFIG_FILE'] ??= fileURLToPath(new URL('fonts.conf', fontsFolder));
  }
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
  });
}
