import { FetchError, type FetchFunction } from './fetch-context.js';

/** Fetches models by address, through the proxy that the environment names (`HTTPS_PROXY`, `NO_PROXY`). */
export function createProxiedFetch(): FetchFunction {
  // Only installations need it, and it takes a tenth of a second to load.
  const load = async () => {
    const { default: undici } = await import('undici');
    const timeouts = { connectTimeout: 10_000, headersTimeout: 30_000, bodyTimeout: 30_000 };
    try {
      return { fetch: undici.fetch, dispatcher: new undici.EnvHttpProxyAgent(timeouts) };
    } catch (cause) {
      const wanted = 'HTTPS_PROXY and HTTP_PROXY must be addresses such as http://proxy.example.com:3128';
      throw new FetchError(`the proxy that the environment names cannot be used: ${wanted}`, false, {
        cause,
      });
    }
  };
  let loading: ReturnType<typeof load> | undefined;
  return async (url, init) => {
    loading ??= load();
    const { fetch, dispatcher } = await loading;
    return fetch(url, { ...init, dispatcher, redirect: 'follow' });
  };
}
