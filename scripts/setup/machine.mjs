import { readdirSync } from 'node:fs';
import { SetupError } from './setup-error.mjs';

// Vite, which builds the web account, and the hashes of second factors need it.
const oldest = [20, 19];

/** Says in plain words when this machine cannot run Lynceus, before something deeper says it in others. */
export function checkMachine({ version = process.versions.node, platform = process.platform } = {}) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
    throw new SetupError(`Lynceus needs Node ${oldest.join('.')} or newer; this is Node ${version}.`);
  }
  if (platform === 'win32') {
    throw new SetupError('Lynceus runs on Linux with glibc and on macOS. On Windows, run it inside WSL 2.');
  }
  if (platform === 'linux' && isMusl()) {
    throw new SetupError(
      'Lynceus needs a Linux with glibc (Debian, Ubuntu, Fedora and so on). This one has musl (Alpine?), for which ' +
        'parts of it are not built. In a container, start from node:24-bookworm-slim.',
    );
  }
}

function isMusl() {
  // The report is certain but takes a while; it is read only where the loader of musl exists.
  if (!namesIn('/lib').some((name) => name.startsWith('ld-musl-'))) return false;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
