import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const out = fileURLToPath(new URL('dist/page', import.meta.url));

export default defineConfig({
  // Addresses are relative to <base>, which the service sets: it may stand behind a path prefix.
  base: './',
  plugins: [react(), compressFiles()],
  build: { outDir: out, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 900 },
});

/** Files are compressed once here, so that the service compresses nothing while it serves. */
function compressFiles() {
  return {
    name: 'compress-files',
    apply: 'build',
    async closeBundle() {
      const dir = join(out, 'assets');
      const names = (await readdir(dir)).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(dir, name);
          const bytes = await readFile(path);
          const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
          await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, quality));
          await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
        }),
      );
    },
  };
}
