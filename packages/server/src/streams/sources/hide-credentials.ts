const secretNames =
  /^(.*(token|passw(or)?d|pwd|pass|secret|key|auth|authorization|sig|signature|credential)s?|user(name)?|usr|pw|p|sid|session)$/i;

export const hiddenCredential = '***';

/**
 * An address for display: without user name and password, and with the values of such query parameters as `token`, `password`,
 * `key` and `auth` hidden. The path of an RTMP address is hidden from its second part on, which is the stream's key.
 * Text that is no address comes back as it is, without what stands before an `@`.
 */
export function hideCredentials(url: string): string {
  const noUser = url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
  const noKeys = noUser.replace(
    /([?&;])([^=&;#\s]{1,200})=([^&;#\s]*)/g,
    (_all, open: string, name: string) =>
      `${open}${name}=${secretNames.test(decode(name)) ? hiddenCredential : _all.slice(open.length + name.length + 1)}`,
  );
  if (!/^rtmps?:/i.test(noKeys)) return noKeys;
  return noKeys.replace(/^(rtmps?:\/\/[^/?#]*\/[^/?#]*\/).+$/i, `$1${hiddenCredential}`);
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
