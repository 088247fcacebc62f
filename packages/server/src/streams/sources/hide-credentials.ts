const secretNames =
  /^(.*(token|passw(or)?d|pwd|pass|secret|key|auth|authorization|sig|signature|credential)s?|user(name)?|usr|pw|p|sid|session)$/i;

export const hiddenCredential = '***';

/** Nothing before the first slash, question mark or number sign but a user, and no other `@`. */
const plainAddress = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#@\\]*@)?([^@\\]*)$/i;

/** As in `/user=admin_password=…_channel=1` of some cameras. Where such a value ends cannot be known. */
const passwordInPath = /^([^?#]*?(?:passw(?:or)?d|pwd|pass|psw)=).*$/is;
/** A value goes on where what follows has no name: an `&` or `#` may be part of it. */
const parameter = /([?&;])([^=&;#\s]{1,200})=[^&;#]*(?:[&;#](?![^=&;#\s]{1,200}=)[^&;#]*)*/g;

/**
 * An address for display: without user name and password, and with the values of such query parameters as `token`, `password`,
 * `key` and `auth` hidden. The path of an RTMP address is hidden from its second part on, which is the stream's key.
 * Of an address whose password may reach into host, path or query nothing is shown but its scheme.
 */
export function hideCredentials(url: string): string {
  const found = plainAddress.exec(url);
  if (found === null) return `${/^[a-z][a-z0-9+.-]{0,20}:\/\//i.exec(url)?.[0] ?? ''}${hiddenCredential}`;
  const [, scheme = '', rest = ''] = found;
  const noKeys = rest
    .replace(passwordInPath, `$1${hiddenCredential}`)
    .replace(parameter, (all, open: string, name: string) =>
      secretNames.test(decode(name)) ? `${open}${name}=${hiddenCredential}` : all,
    );
  if (!/^rtmps?:/i.test(scheme)) return `${scheme}${noKeys}`;
  return `${scheme}${noKeys.replace(/^([^/?#]*\/[^/?#]*\/).+$/i, `$1${hiddenCredential}`)}`;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
