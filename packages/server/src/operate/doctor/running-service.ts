import { Value } from 'typebox/value';
import { localAddress } from '../../core/local-address.js';
import type { Settings } from '../../core/settings.js';
import { Readiness } from '../../http/health.js';
import { type Finding, fine, notice, wrong } from './finding.js';

const timeoutMs = 5000;

/** Asks the service of these settings on this machine how it is. */
export async function examineRunningService(
  settings: Pick<Settings, 'host' | 'port' | 'pathPrefix'>,
): Promise<readonly Finding[]> {
  const url = `${localAddress(settings)}/readyz`;
  if (settings.port === 0) return [notice('service', 'its port is not known here: the setting port is 0')];
  let answer: unknown;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    answer = await response.json();
  } catch (error) {
    const isRefused = error instanceof TypeError && codeOf(error.cause) === 'ECONNREFUSED';
    if (isRefused) return [notice('service', `nothing listens at ${url}`, 'start it with npm start')];
    const text = `${url} gives no answer that is ours`;
    return [wrong('service', text, 'it hangs, or another program has this port; see its log')];
  }
  if (!Value.Check(Readiness, answer)) {
    return [wrong('service', `at ${url} another program answers`, 'choose another port')];
  }
  const about = answer.components.flatMap(({ name, ready, status, reason, notices = [] }) => [
    ...(ready && status === undefined ? [] : [`${name}: ${reason ?? 'not ready'}`]),
    ...notices.map((text) => `${name}: ${text}`),
  ]);
  if (!answer.ready) return [wrong('service', [`${url}: not ready`, ...about].join('\n'))];
  if (about.length > 0) return [notice('service', [`${url}: ready`, ...about].join('\n'))];
  return [fine('service', `${url}: ready`)];
}

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
