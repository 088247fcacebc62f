import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { apiLimits } from './api-limits.js';

const out = fileURLToPath(new URL('dist/page', import.meta.url));

export default defineConfig({
  // Addresses are relative to <base>, which the service sets to its path prefix.
  base: './',
  // The sources of the client, so that it need not be compiled before the page is built.
  resolve: {
    alias: { '@lynceus/client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)) },
  },
  plugins: [apiLimits(), inlineIcons(), react(), compressFiles()],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 900,
    rollupOptions: { output: { manualChunks: chooseChunk } },
    reportCompressedSize: false,
  },
});

/** Components that the first pages and most others use. */
const widgets = [
  ...[
    'Anchor',
    'Badge',
    'CheckIcon',
    'Code',
    'CopyButton',
    'Grid',
    'Group',
    'Image',
    'Input',
    'InputBase',
    'Overlay',
  ],
  ...['Paper', 'Tabs', 'TextInput', 'VisuallyHidden'],
];

/** One chunk: rollup would create a file for each, and the first page would need sixty requests. */
function chooseChunk(id) {
  const component = /@mantine\/core\/esm\/components\/(\w+)\//.exec(id)?.[1];
  const isShared =
    /@mantine\/(hooks|core\/esm\/(utils|core))\/|@tanstack\/react-query\/|console\/src\/service\//;
  return widgets.includes(component) || isShared.test(id) ? 'widgets' : undefined;
}

/** Each icon is in the module that shows it: in one module all would be loaded with the first page. */
function inlineIcons() {
  const icons = createRequire(import.meta.url)('@mdi/js');
  return {
    name: 'inline-icons',
    enforce: 'pre',
    transform(code, id) {
      if (!/\.tsx?$/.test(id) || !code.includes('@mdi/js')) return null;
      return code.replace(/import \{([^}]*)\} from '@mdi\/js';/, (_, names) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '')
          .map((name) => `const ${name} = ${JSON.stringify(icons[name])};`)
          .join(' '),
      );
    },
  };
}

/** Compresses files once at build time, so that the service need not compress them. */
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
