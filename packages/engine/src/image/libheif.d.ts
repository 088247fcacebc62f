// The functions of libheif's WebAssembly build that are used here; the package has no types.
declare module 'libheif-js/libheif-wasm/libheif-bundle.js' {
  /** An enumeration value of the C library, compared by identity. */
  export type EnumValue = { readonly value: number };
  export interface LibheifError {
    readonly code: EnumValue;
    readonly message?: string;
  }
  export interface LibheifChannel {
    readonly id: EnumValue;
    readonly width: number;
    readonly height: number;
    /** Bytes from one row to the next. */
    readonly stride: number;
    readonly data: Uint8Array;
  }
  export interface Libheif {
    readonly heif_error_code: { readonly heif_error_Ok: EnumValue };
    readonly heif_colorspace: { readonly heif_colorspace_RGB: EnumValue };
    readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: EnumValue };
    readonly heif_channel: { readonly heif_channel_interleaved: EnumValue };
    heif_context_alloc(): object | null;
    heif_context_read_from_memory(context: object, bytes: Uint8Array): LibheifError;
    heif_js_context_get_list_of_top_level_image_IDs(context: object): readonly number[] | LibheifError;
    heif_js_context_get_image_handle(context: object, id: number): object;
    heif_image_handle_is_primary_image(handle: object): number;
    heif_image_handle_get_width(handle: object): number;
    heif_image_handle_get_height(handle: object): number;
    heif_js_decode_image2(
      handle: object,
      colorspace: EnumValue,
      chroma: EnumValue,
    ): Promise<LibheifError | { readonly channels: readonly LibheifChannel[] }>;
  }
  /** A new instance with its own memory. */
  export default function createLibheif(): Libheif;
}
