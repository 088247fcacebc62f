/**
 * Where to go on after the sign-in: a path of this page, whatever the address says. Browsers drop tabs and line breaks and read `\` as
 * `/`, so what an address becomes is looked at, and not how it is spelt.
 */
export function ownPath(next: string | null, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return '/';
  const { origin: there, pathname, search, hash } = new URL(next, origin);
  return there === origin && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
