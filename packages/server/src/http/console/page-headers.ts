/**
 * What a browser may do with the page: everything from our own origin, no script inside it, no frame around it. Styles
 * that widgets make as they go carry the nonce of their page. Images are also made by the page itself. What every answer tells
 * comes beside it.
 */
export function pageHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' blob: data:",
      "media-src 'self' blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
  };
}
