import { fillAccount } from '../docs/sample-account.js';
import { freePort } from '../free-port.js';
import { type Service, startService } from '../service.js';
import { fillCorners } from './fill.js';

/** A service whose first account has something of everything; `dir` is what a drop of it delivers to. */
export async function startFilled(dir: string): Promise<Service> {
  const ftpPort = await freePort();
  const service = await startService({
    LYNCEUS_FTP_PORT: String(ftpPort),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_DROP_FOLDERS: dir,
    LYNCEUS_KEEP_IMAGES: 'true',
    LYNCEUS_OPEN_SIGN_UP: 'true',
    LYNCEUS_INFERENCE_PROCESSES: '1',
  });
  try {
    await fillAccount(service, ftpPort, dir);
    await fillCorners(service, ftpPort);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}
