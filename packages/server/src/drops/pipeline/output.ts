import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { FileRow } from '../files/file-rows.js';
import { fullSidecarName, sidecarName } from '../keywords/sidecar-name.js';

/** What a file's row tells of what is to be delivered. */
export const Output = Type.Object({
  /** In the order in which they are sent. */
  files: Type.Array(
    Type.Object({
      part: Type.Enum(['original', 'image', 'sidecar']),
      mediaType: Type.String(),
      sizeBytes: Type.Integer(),
      sha256: Type.String(),
    }),
  ),
  /** Null: nothing was written. */
  field: Type.Union([Type.Enum(['iptc+xmp', 'xmp', 'sidecar']), Type.Null()]),
  /** `full` where the sidecar is called as its image with `.xmp` behind it; absent where `.xmp` takes the place of the ending. */
  sidecarNaming: Type.Optional(Type.Literal('full')),
  /** All that are in it. */
  keywords: Type.Array(Type.String()),
  /** Of them, ours. */
  added: Type.Array(Type.String()),
  /** Why it is delivered as it came, without keywords; absent where it could be analysed. */
  reason: Type.Optional(Type.String()),
  /** When the image was taken, or else when it came; since 1970. */
  takenMs: Type.Integer(),
});
export type Output = Static<typeof Output>;

/** Name of the sidecar of an output beside an image of this name. */
export function sidecarNameOf(output: Output | null, image: string): string {
  return output?.sidecarNaming === 'full' ? fullSidecarName(image) : sidecarName(image);
}

export function outputOf({ output }: Pick<FileRow, 'output'>): Output | null {
  return output === null ? null : Value.Parse(Output, JSON.parse(output));
}
