const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * The path of a request target as the router reads it, below the prefix and without a slash at its end: `/predict` also
 * where it came in absolute form (RFC 9112, section 3.2.2) or percent-encoded. Empty when it does not lie below the prefix.
 */
export function ownPath(target: string, prefix: string): string {
  const [path = ''] = target.replace(absoluteForm, '').split(/[?#]/);
  const plain = decodePlain(path);
  if (!plain.startsWith(prefix)) return '';
  return plain.slice(prefix.length).replace(/\/$/, '');
}

/** An encoded slash stays: it separates nothing. */
function decodePlain(path: string): string {
  try {
    return path
      .split(/(%2f)/i)
      .map((piece) => (/^%2f$/i.test(piece) ? piece : decodeURIComponent(piece)))
      .join('');
  } catch {
    return path;
  }
}
