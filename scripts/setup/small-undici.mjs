/**
 * Of undici, whose CommonJS no bundler can shake, services use the clients alone. The rest, most of all `fetch`, takes a tenth of a second
 * of every start; who needs it imports it when it is needed: `await import('undici')`.
 */
export const smallUndici = {
  name: 'small-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ kind, resolveDir }) =>
      kind === 'import-statement'
        ? { path: 'undici', namespace: 'small', pluginData: resolveDir }
        : undefined,
    );
    onLoad({ filter: /^undici$/, namespace: 'small' }, ({ pluginData: resolveDir }) => ({
      contents,
      resolveDir,
    }));
  },
};

/** As undici's own index.js has them. */
const contents = `
  import api from 'undici/lib/api/index.js';
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
  Object.assign(Dispatcher.prototype, api);
  export { default as Agent } from 'undici/lib/dispatcher/agent.js';
  export { default as Client } from 'undici/lib/dispatcher/client.js';
  export { default as buildConnector } from 'undici/lib/core/connect.js';
`;
