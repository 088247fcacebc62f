import { defineConfig } from 'vitest/config';

// The tests run as compiled: what is tested is what ships, and forked processes and workers find their entry files.
export default defineConfig({
  test: {
    include: ['packages/*/dist/**/*.test.js', 'bench/dist/**/*.test.js', 'test/dist/**/*.test.js'],
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    maxWorkers: 2,
    // Tests that load ONNX Runtime themselves send nothing either.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
