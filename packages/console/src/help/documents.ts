/** The pages of docs/, loaded when they are opened: texts by name, such as `api`. */
const texts = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default' });
const images = import.meta.glob<string>('../../../../docs/images/*', {
  query: '?url',
  import: 'default',
  eager: true,
});

const readers = new Map(
  Object.entries(texts).map(([path, read]) => [path.replace(/^.*\/(.*)\.md$/, '$1'), read]),
);
const imageAddresses = new Map(Object.entries(images).map(([path, url]) => [path.replace(/^.*\//, ''), url]));

/** In the order of reading for a new user; pages that are not listed are internals. */
const named = {
  begin: ['quick-start', 'README', 'moving', 'accuracy', 'benchmarks', 'limits'],
  use: [
    'faces',
    'models',
    'datasets',
    'training',
    'uploads',
    'streams',
    'stream-events',
    'videos',
    'drop',
    'destinations',
    'keywords',
    'tag',
    'text',
  ],
  programs: ['api', 'wire', 'errors', 'addresses'],
  operate: [
    ...(['operation', 'command-line', 'settings', 'accounts', 'database'] as const),
    ...(['ftp', 'sftp', 'security', 'licences'] as const),
  ],
} as const;

export type SectionName = keyof typeof named | 'inside';

export interface Section {
  readonly title: SectionName;
  readonly names: readonly string[];
}

const elsewhere = new Set<string>(Object.values(named).flat());

/** Every page, in sections. */
export const sections: readonly Section[] = [
  sectionOf('begin', named.begin),
  sectionOf('use', named.use),
  sectionOf('programs', named.programs),
  sectionOf('operate', named.operate),
  sectionOf('inside', [...readers.keys()].filter((name) => !elsewhere.has(name)).sort()),
];

export const documentNames: readonly string[] = sections.flatMap(({ names }) => names);

function sectionOf(title: SectionName, names: readonly string[]): Section {
  return { title, names: names.filter((name) => readers.has(name)) };
}

/** The Markdown of a page; null when there is none of this name. */
export async function readDocument(name: string): Promise<string | null> {
  return (await readers.get(name)?.()) ?? null;
}

/** The address of an image, by its path in a page, such as `images/keys.png`. */
export function imageAddress(source: string): string | undefined {
  return imageAddresses.get(source.replace(/^.*\//, ''));
}

/** The target of a link in a page: a path of Help, an external address, or null for files of the repository. */
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
