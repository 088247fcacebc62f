/** Name of an image's new sidecar, as Adobe's programs look for it: `.xmp` in place of the image's ending. */
export function sidecarName(name: string): string {
  const beside = `${name.replace(/(?<=[^.])\.[A-Za-z0-9]{1,10}$/, '')}.xmp`;
  // Of an image that is called so itself, another one.
  return beside === name ? `${name}.xmp` : beside;
}

/** Name of an image's sidecar, as darktable gives it: `.xmp` behind the image's whole name. */
export function fullSidecarName(name: string): string {
  return `${name}.xmp`;
}

/** Whether a file is named as a sidecar. */
export function isSidecarName(name: string): boolean {
  return /[^.]\.xmp$/i.test(name);
}

/** The names under which a received sidecar of an image may lie, the one that names the image alone first. */
export function receivedSidecarNames(image: string): readonly string[] {
  const names = [fullSidecarName(image), sidecarName(image)];
  return names.flatMap((name) => [name, name.replace(/xmp$/, 'XMP')]).filter((name) => name !== image);
}

/** Whether a sidecar of this name may be that of an image of that name. */
export function isSidecarOf(sidecar: string, image: string): boolean {
  return receivedSidecarNames(image).includes(sidecar);
}
