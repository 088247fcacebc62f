/**
 * What an inference process gets of our environment: it decodes what strangers send, so keys and passwords stay
 * out. Everything not named here is left behind.
 */
export function processEnvironment(ours: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = Object.entries(ours).filter(
    ([name]) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return {
    // One job at a time needs few helper threads, and each would bring a heap of its own to fragment.
    UV_THREADPOOL_SIZE: '2',
    MALLOC_ARENA_MAX: '2',
    // ONNX Runtime sends usage data to its maker otherwise, from 1.29 on. Nothing leaves the machine unasked.
    ORT_DISABLE_TELEMETRY: '1',
    ...Object.fromEntries(passed),
  };
}

const names = new Set(['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']);
const prefixes = ['LC_', 'LD_', 'MALLOC_', 'UV_', 'CUDA_', 'NVIDIA_', 'ORT_', 'OMP_', 'VIPS_'];
