/** Scheme and host of a request target in absolute form (RFC 9112, section 3.2.2). */
const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/**
 * A request target whose path has one slash where it had several: clients put a base address that ends with a slash before a path that
 * begins with one. The query stays, and so do encoded slashes, which separate nothing.
 */
export function mergeSlashes(target: string): string {
  const head = target.startsWith('/') ? '' : (absoluteForm.exec(target)?.[0] ?? '');
  const queryAt = target.slice(head.length).search(/[?#]/);
  const end = queryAt < 0 ? target.length : head.length + queryAt;
  const path = target.slice(head.length, end);
  return path.includes('//') ? head + path.replace(/\/{2,}/g, '/') + target.slice(end) : target;
}
