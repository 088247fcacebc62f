import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openFolderBlobs } from '#server/storage/blobs/folder-blobs.js';
import { blobsDir } from '#server/storage/data-folder.js';
import { insertTrack, type NewTestTrack } from '#server/streams/fixtures/insert-track.js';
import { createMedia } from '#server/streams/media.js';
import { renderFilm } from '#server/streams/videos/fixtures/render-film.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import type { Service } from '../service.js';

const samplePath = fileURLToPath(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));

/** A short film with its best frame: a street, and from the second second on a stop sign that moves to the right. */
export interface Film {
  readonly mp4: Buffer;
  readonly frame: Buffer;
}

const sign = { left: 305, top: 55, width: 190, height: 190 };

/** Renders it by ffmpeg, 640 x 360, of this length. */
export async function renderStreetFilm(seconds = 6): Promise<Film> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-film-'));
  const path = join(dir, 'film.mp4');
  const framePath = join(dir, 'frame.jpg');
  try {
    await renderFilm(path, {
      ...{ width: 640, height: 360, seconds },
      codecArgs: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10'],
      images: [
        {
          ...{ path: samplePath, crop: sign, heightPx: 180, fromSeconds: 1, toSeconds: seconds - 1 },
          ...{ from: [40, 90], to: [440, 90] },
        },
      ],
    });
    const args = ['-hide_banner', '-loglevel', 'error', '-y', '-ss', String(seconds * 0.75), '-i', path];
    await promisify(execFile)('ffmpeg', [...args, '-frames:v', '1', framePath]);
    return { mp4: await readFile(path), frame: await readFile(framePath) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Writes tracks beside a service, as the service that runs their streams would: into its database, and its data folder. */
export async function insertTracks(
  service: Pick<Service, 'dataDir'>,
  tracks: readonly NewTestTrack[],
): Promise<readonly string[]> {
  const storage = await openStorageBesideService(service.dataDir);
  try {
    const { database, folder } = storage;
    const files = await openFolderBlobs(blobsDir(folder, 'media'), { mayServiceBeRunning: true });
    const media = createMedia({ database, clock: Date.now, files });
    const ids: string[] = [];
    for (const track of tracks) ids.push(await insertTrack({ database, media }, track));
    return ids;
  } finally {
    await storage.close();
  }
}
