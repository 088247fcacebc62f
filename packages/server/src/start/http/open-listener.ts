import type { CompatListener } from '../../compat/compat-listeners.js';
import type { OpenListener } from '../../compat/running-listeners.js';
import { buildListenerApp, type ListenerAppDeps } from './listener-app.js';

/** Time for aborted requests to be answered, before their connections are cut. */
const lastAnswersMs = 1000;

/** Opens the port of a listener. Throws what binding throws, and then holds nothing. */
export async function openListener(listener: CompatListener, deps: ListenerAppDeps): Promise<OpenListener> {
  const app = await buildListenerApp(listener, deps);
  try {
    await app.listen({ host: listener.host, port: listener.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  const { shutdownSignal } = deps;
  return {
    async close() {
      let cut: NodeJS.Timeout | undefined;
      const cutSoon = () => {
        cut = setTimeout(() => app.server.closeAllConnections(), lastAnswersMs);
      };
      if (shutdownSignal.aborted) cutSoon();
      else shutdownSignal.addEventListener('abort', cutSoon, { once: true });
      try {
        await app.close();
      } finally {
        clearTimeout(cut);
        shutdownSignal.removeEventListener('abort', cutSoon);
      }
    },
  };
}
