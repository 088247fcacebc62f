import { freePort } from '../free-port.js';
import { type Service, startService } from '../service.js';
import { fillCorners } from './fill.js';
import { fillStreams } from './fill-streams.js';
import { openListener } from './open-listener.js';
import { fillAccount } from './sample-account.js';

/** A service whose first account has something of everything; `dir` is what a drop of it delivers to. */
export async function startFilled(dir: string): Promise<Service> {
  const ftpPort = await freePort();
  const listenerPort = await freePort();
  const service = await startService({
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_DROP_FOLDERS: dir,
    LYNCEUS_KEEP_IMAGES: 'true',
    LYNCEUS_OPEN_SIGN_UP: 'true',
    LYNCEUS_COMPAT_LISTENER_PORTS: String(listenerPort),
    LYNCEUS_INFERENCE_PROCESSES: '1',
  });
  try {
    await fillAccount(service, ftpPort, dir);
    await fillCorners(service, ftpPort);
    await fillStreams(service);
    await openListener(service, listenerPort);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}
