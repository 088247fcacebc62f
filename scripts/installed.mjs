#!/usr/bin/env node
import { createRequire } from 'node:module';
import { checkMachine } from './setup/machine.mjs';
import { SetupError } from './setup/setup-error.mjs';

// The command of the package that npm run pack makes: everything it needs is there already.
try {
  checkMachine();
  checkBinaries();
  if (process.env.npm_command === 'exec') endWithParent();
  // ONNX Runtime sends usage data to its maker otherwise. Whoever wants that sets it to 0.
  process.env.ORT_DISABLE_TELEMETRY ??= '1';
  const { runInstalled } = await import(
    new URL('../packages/server/dist/bundle/installed.mjs', import.meta.url).href
  );
  process.exitCode = await runInstalled(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof SetupError ? error.message : (error?.stack ?? error)}\n`);
  process.exitCode = 1;
}

/** An optional package, since there is one for each platform: npm can be asked to leave it out. */
function checkBinaries() {
  const name = `@lynceus/native-${process.platform}-${process.arch}`;
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
  } catch {
    throw new SetupError(
      `The package ${name} is not installed. Install Lynceus again, without --omit=optional, for the machine that runs it.`,
    );
  }
}

/** A signal to npx ends npx and its shell, and does not reach what they started: that stops when they are gone. */
function endWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1000);
  watch.unref();
}
