import { readFileSync } from 'node:fs';

// Where the bundle finds what is not in it: in a clone, and in the package that npm run pack makes.

/** These hold native code, or read files of their own folder at run time: they stay where npm put them. */
const nativePackages = ['@node-rs/argon2', 'libheif-js', 'libsql', 'sharp'];
/** Their packages look whether these are installed. */
const neverInstalled = ['pg-native', 'cpu-features', '*.node'];

export const inClone = {
  /** Below `packages/server/dist`. */
  folder: 'bundle',
  // Which tests start.
  entries: [['service-without-models', 'packages/server/src/service-without-models.ts']],
  external: [...nativePackages, 'onnxruntime-node', 'usearch', ...neverInstalled],
  plugins: [],
  /** An expression: the path of the package.json of a package that is in the bundle. */
  manifestOf: (name) => `require.resolve('${name}/package.json')`,
};

/**
 * onnxruntime-node and usearch have install scripts, of which one downloads and the other may compile, and binaries for every
 * platform. The package has their JavaScript, and depends on one package a platform that has their binaries.
 */
export const forPackage = {
  folder: 'package',
  entries: [['installed', 'packages/server/src/cli/installed.ts']],
  external: [...nativePackages, ...neverInstalled],
  plugins: [{ name: 'native-binaries', setup: nameBinaries }],
  // Computed, so that esbuild leaves it as it is.
  manifestOf: (name) => `require.resolve(String('../../vendor/${name}/package.json'))`,
};

/** Where their JavaScript loads its binary: path in `node_modules`, what is replaced there, the file of our package. */
const loaders = [
  ['onnxruntime-node/dist/binding.js', /require\(`\.\.\/bin\/[^`]*\.node`\)/, 'onnxruntime_binding.node'],
  ['usearch/javascript/dist/esm/usearch.js', /build\(getBuildDir\(getDirName\(\)\)\)/, 'usearch.node'],
];

function nameBinaries({ onLoad }) {
  for (const [file, expression, binary] of loaders) {
    onLoad({ filter: new RegExp(`/node_modules/${file}$`) }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!expression.test(text)) return { errors: [{ text: `${file} loads its binary in another way` }] };
      const loaded = `require(\`@lynceus/native-\${process.platform}-\${process.arch}/${binary}\`)`;
      return { contents: text.replace(expression, () => loaded), loader: 'js' };
    });
  }
}
