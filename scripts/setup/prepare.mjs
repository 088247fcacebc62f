import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, buildIsFresh } from './build.mjs';
import { withSetupLock } from './lock.mjs';
import { checkMachine } from './machine.mjs';
import { installPackages, packagesAreInstalled } from './packages.mjs';
import { SetupError } from './setup-error.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Brings a clone to where its programs can run: packages installed, sources built, each only when it is not so
 * already. For `product` what serves, for `all` the tests and benchmarks as well. Writes nothing when all is in place, so that the folder may be read-only. Words go to standard error.
 * @param packages those of which scope are needed, where that is not the scope of what is built
 */
export async function prepare({ scope = 'product', packages = scope, quiet = false, whenBundled } = {}) {
  checkMachine();
  if (packagesAreInstalled(root, packages) && buildIsFresh(root, scope)) return;
  const say = (text) => quiet || process.stderr.write(text);
  await withSetupLock(
    join(root, '.lynceus-setup.lock'),
    { onWait: () => say('Waiting for another start in this folder…\n') },
    async () => {
      if (!packagesAreInstalled(root, packages))
        await timed(say, 'Installing packages', () => installPackages(root, packages));
      if (!buildIsFresh(root, scope)) await timed(say, 'Building', () => build(root, scope, { whenBundled }));
    },
  );
}

async function timed(say, name, work) {
  const startMs = Date.now();
  say(`${name}…\n`);
  await work();
  say(`${name} took ${((Date.now() - startMs) / 1000).toFixed(1)} s\n`);
}

/** Runs a script's main function; a failure is printed without a stack. */
export async function runScript(main) {
  // ONNX Runtime sends usage data to its maker otherwise. Whoever wants that sets it to 0.
  process.env.ORT_DISABLE_TELEMETRY ??= '1';
  try {
    const code = await main();
    // A service that stopped in good order has set it already.
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    process.stderr.write(`${error instanceof SetupError ? error.message : (error?.stack ?? error)}\n`);
    process.exitCode = 1;
  }
}
