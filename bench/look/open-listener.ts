import { createAsk } from '../ask.js';
import { runCommand, type Service } from '../service.js';

/** Opens a port for clients that send no key, as the operator does: no key of an account may. */
export async function openListener(service: Service, port: number): Promise<void> {
  const ask = createAsk(service);
  const body = { name: 'Cameras without a key', compat: { protocol: 'deepstack' } };
  const { id } = await ask('POST', '/api/keys', body);
  const network = ['--network', '192.168.1.0/24', '--network', '10.0.0.0/8'];
  await runCommand(['keys', 'listen', String(id), '--port', String(port), ...network], {
    LYNCEUS_DATA_DIR: service.dataDir,
    LYNCEUS_COMPAT_LISTENER_PORTS: String(port),
  });
}
