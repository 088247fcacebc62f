import { prepare, runScript } from './setup/prepare.mjs';

// Installs the packages and compiles, without starting anything: for images and for machines that only build.
await runScript(() => prepare());
