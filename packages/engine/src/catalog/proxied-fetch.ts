import { EnvHttpProxyAgent, fetch } from 'undici';
import type { FetchFunction } from './fetch-context.js';

/** Fetches models by address, through the proxy that the environment names (`HTTPS_PROXY`, `NO_PROXY`). */
export function createProxiedFetch(): FetchFunction {
  const dispatcher = new EnvHttpProxyAgent({
    connectTimeout: 10_000,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  });
  return (url, init) => fetch(url, { ...init, dispatcher, redirect: 'follow' });
}
