/** Names in paths and topics of others, which a camera may not have. */
const reserved: ReadonlySet<string> = new Set([
  ...[
    'all',
    'available',
    'birdseye',
    'config',
    'events',
    'export',
    'faces',
    'go2rtc',
    'labels',
    'last_person',
  ],
  ...['logs', 'metrics', 'notifications', 'onConnect', 'profile', 'restart', 'review', 'reviews', 'state'],
  ...['stats', 'sub_labels', 'test', 'timeline', 'version'],
]);

/** A stream as topics and paths name it: letters, digits, `_` and `-`; what else its name has becomes `_`. */
function safeName(name: string, id: number): string {
  const safe = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .toLowerCase()
    .slice(0, 60);
  if (safe === '') return `camera_${id}`;
  return reserved.has(safe) ? `${safe}_${id}` : safe;
}

/** Names of the streams of an account by their ids. Of streams with one name, the oldest has it and others their number behind it. */
export function nameCameras(
  streams: readonly { readonly id: number; readonly name: string }[],
): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  const taken = new Set<string>();
  for (const { id, name } of [...streams].sort((a, b) => a.id - b.id)) {
    let given = safeName(name, id);
    while (taken.has(given)) given = `${given}_${id}`;
    taken.add(given);
    names.set(id, given);
  }
  return names;
}

/** A class or a zone as a level of a topic: without what MQTT reserves. */
export function topicLevel(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: MQTT forbids NUL and advises against other control characters.
  return text.replace(/[/+#\u0000-\u001f\u007f]/g, '_') || '_';
}
