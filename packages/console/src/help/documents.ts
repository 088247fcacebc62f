/** The pages of docs/, each fetched when it is read: their text by their name, such as `api`. */
const texts = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default' });
const pictures = import.meta.glob<string>('../../../../docs/pictures/*', {
  query: '?url',
  import: 'default',
  eager: true,
});

const readers = new Map(
  Object.entries(texts).map(([path, read]) => [path.replace(/^.*\/(.*)\.md$/, '$1'), read]),
);
const pictureAddresses = new Map(
  Object.entries(pictures).map(([path, url]) => [path.replace(/^.*\//, ''), url]),
);

/** In the order in which somebody new wants them; what is not named here comes after, by name. */
const order = ['quick-start', 'accounts', 'api', 'wire', 'faces', 'models', 'datasets', 'training', 'drop'];

export const documentNames: readonly string[] = [...readers.keys()].sort(
  (one, other) => rank(one) - rank(other) || one.localeCompare(other),
);

function rank(name: string): number {
  const index = order.indexOf(name);
  return index < 0 ? order.length : index;
}

/** The Markdown of a page; null when there is none of this name. */
export async function readDocument(name: string): Promise<string | null> {
  return (await readers.get(name)?.()) ?? null;
}

/** Where a picture of a page is, by its address there, such as `pictures/keys.png`. */
export function pictureAddress(source: string): string | undefined {
  return pictureAddresses.get(source.replace(/^.*\//, ''));
}

/** Where a link of a page leads: a path of Help, an address elsewhere, or nowhere here (files of the repository). */
export function resolveLink(href: string, from: string): { to: string } | { href: string } | null {
  if (/^(https?|mailto):/.test(href)) return { href };
  const [path = '', fragment] = href.split('#');
  const end = fragment ? `#${fragment}` : '';
  if (path === '') return { to: `/help/${from}${end}` };
  const name = /^(?:\.\/)?([\w-]+)\.md$/.exec(path)?.[1];
  return name && readers.has(name) ? { to: `/help/${name}${end}` } : null;
}

/** The first heading. */
export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}
