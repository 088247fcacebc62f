/** The interface of CompreFace: these paths are its adapter's alone, and no part of the management API. */
export const comprefacePrefixes = ['recognition', 'detection', 'verification', 'static'].map(
  (service) => `/api/v1/${service}`,
);

/** Whether a path, without the prefix of the settings, is one of CompreFace, by a route or without one. */
export function isComprefacePath(path: string): boolean {
  return comprefacePrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}
