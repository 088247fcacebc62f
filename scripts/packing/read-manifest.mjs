import { readFile } from 'node:fs/promises';

/**
 * A package.json. `repository` is an object to spread into other manifests: with what a pipeline that publishes knows of its
 * repository, which the registry compares with the proof of origin; else without anything.
 */
export async function readManifest(path, env = process.env) {
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  const repository = server && name ? { repository: { type: 'git', url: `git+${server}/${name}.git` } } : {};
  return { ...manifest, repository };
}
