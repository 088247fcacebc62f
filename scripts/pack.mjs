import { join, relative } from 'node:path';
import { packAll } from './packing/pack-all.mjs';
import { prepare, root, runScript } from './setup/prepare.mjs';

// npm run pack: makes the packages for a registry, into packed/: the service, its binaries for each platform, and the client.
await runScript(async () => {
  await prepare({ scope: 'all' });
  for (const { path, bytes, unpackedBytes } of await packAll(join(root, 'packed'))) {
    const [packed, unpacked] = [bytes, unpackedBytes].map((each) => `${(each / 1e6).toFixed(1)} MB`);
    process.stdout.write(`${relative(root, path)}  ${packed}, ${unpacked} unpacked\n`);
  }
});
