const maxLength = 200;

/** What an image is called: the last part of where it came from, printable; the end of a long one is kept. */
export function toFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const printable = last.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim();
  const name = [...printable].slice(-maxLength).join('');
  return name === '' || /^\.+$/.test(name) ? 'image' : name;
}
