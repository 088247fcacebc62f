import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** The file that says of which sources the files of a scope were built. */
export const stampOf = (root, scope) => join(root, 'packages', 'server', 'dist', `.build-stamp-${scope}`);

/** Before files are written beside the builds of build.mjs: when the sources change back, a stamp would take them for its own. */
export function forgetBuilds(root, scopes = ['bundle', 'product', 'all']) {
  for (const scope of scopes) rmSync(stampOf(root, scope), { force: true });
}
