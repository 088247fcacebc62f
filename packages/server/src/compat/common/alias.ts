/** What a class is called for a client, by its title here. */
export function aliasOf(aliases: Readonly<Record<string, string>>, title: string): string {
  return Object.hasOwn(aliases, title) ? (aliases[title] ?? title) : title;
}
