const maxNameBytes = 200;

/**
 * A folder for each subject, by its name as far as a folder can be called that. No name leads out of the folder it is in,
 * is hidden, or is that of another subject.
 */
export function nameFolders(subjects) {
  const folders = new Map();
  const taken = new Set();
  for (const subject of subjects) {
    if (folders.has(subject)) continue;
    const wanted = fold(subject);
    let name = wanted;
    // Some disks take large and small letters for the same.
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${wanted} (${count})`;
    taken.add(name.toLowerCase());
    folders.set(subject, name);
  }
  return folders;
}

function fold(subject) {
  const plain = subject
    .normalize('NFC')
    .replace(/[/\\\p{Cc}\p{Cs}]/gu, '_')
    .trim();
  const shown = plain === '' || /^(\.|__MACOSX$)/.test(plain) ? `_${plain}` : plain;
  let cut = '';
  for (const letter of shown) {
    if (Buffer.byteLength(cut + letter) > maxNameBytes) break;
    cut += letter;
  }
  return cut.trim();
}

const beginnings = [
  ['jpg', /^ffd8ff/],
  ['png', /^89504e47/],
  ['gif', /^47494638/],
  ['bmp', /^424d/],
  ['webp', /^52494646.{8}57454250/],
  ['tif', /^(49492a00|4d4d002a)/],
  ['ico', /^00000100/],
];

/** How the name of such a file ends; null when it is no image. */
export function endingOf(bytes) {
  const head = bytes.toString('hex', 0, 16);
  return beginnings.find(([, pattern]) => pattern.test(head))?.[0] ?? null;
}
