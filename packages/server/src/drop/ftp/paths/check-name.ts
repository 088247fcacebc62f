const maxNameBytes = 255;

/**
 * Why a file or folder cannot have this name; null when it can. Control characters end lines and strings elsewhere; format
 * characters turn the direction of writing or take no place, so that two names look alike, or one looks like another kind of file.
 */
export function checkName(name: string): string | null {
  if (Buffer.byteLength(name) > maxNameBytes) return `A name may have ${maxNameBytes} bytes.`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) return 'A name may have no control characters.';
  if (/[\p{Cf}\p{Cs}]/u.test(name)) return 'A name may have no invisible characters.';
  if (name.trim() === '') return 'A name may not be blank.';
  return null;
}
