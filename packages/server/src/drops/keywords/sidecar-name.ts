/** Of an image's sidecar, as Adobe's programs look for it: `.xmp` in the place of the image's ending. */
export function sidecarName(name: string): string {
  const beside = `${name.replace(/(?<=[^.])\.[A-Za-z0-9]{1,10}$/, '')}.xmp`;
  // Of an image that is called so itself, another one.
  return beside === name ? `${name}.xmp` : beside;
}
