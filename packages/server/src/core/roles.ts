/** What a service does of the work of an installation; several services may share it out. */
export const roles = ['http', 'ftp', 'jobs', 'training', 'streams'] as const;
export type Role = (typeof roles)[number];

export const rolesExpected = `must be one or more of ${roles.join(', ')}, comma separated`;

/** The roles of a list such as `ftp, jobs`; null for another word, and for none at all. */
export function parseRoles(list: string): ReadonlySet<Role> | null {
  const found = new Set<Role>();
  for (const word of list.split(',')) {
    const role = roles.find((name) => name === word.trim());
    if (role === undefined) return null;
    found.add(role);
  }
  return found;
}

/** Of the settings, which were checked when they were loaded. */
export function rolesOf(settings: { readonly roles: string }): ReadonlySet<Role> {
  return parseRoles(settings.roles) ?? new Set();
}
