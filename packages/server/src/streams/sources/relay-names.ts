import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PlaylistRole } from './hls-playlist.js';

/** An address behind the relay, and as what it was named. */
export interface Named {
  readonly address: URL;
  readonly role: PlaylistRole | 'root';
}

/** In characters of addresses: far more than a playlist of the largest size. */
const maxCharacters = 8 * 1024 * 1024;

/** Names that cannot be guessed. Those asked for longest ago are forgotten: a live playlist names new segments for ever. */
export function createRelayNames(root: Named, rootEnding: string) {
  const token = randomBytes(16).toString('hex');
  const rootPath = `/${token}/stream.${rootEnding}`;
  const named = new LRUCache<string, Named>({
    maxSize: maxCharacters,
    sizeCalculation: ({ address }) => address.href.length + 100,
  });
  return {
    rootPath,
    /** The same path for the same address and role. */
    nameOf(address: URL, role: PlaylistRole): string {
      const id = createHash('sha256').update(`${token} ${role} ${address.href}`).digest('hex').slice(0, 32);
      named.set(id, { address, role });
      // Newer versions of ffmpeg read segments with usual endings alone.
      const [, ending = 'ts'] = /\.([a-z0-9]{1,5})$/i.exec(address.pathname) ?? [];
      return `/${token}/${id}.${role === 'variant' ? 'm3u8' : ending.toLowerCase()}`;
    },
    /** What a path names; undefined for one that was not given out, or long ago. */
    find(path: string): Named | undefined {
      const [, given, name = ''] = /^\/([0-9a-f]{32})\/([a-z0-9]{1,32})\.[a-z0-9]{1,5}$/.exec(path) ?? [];
      if (given === undefined || !timingSafeEqual(Buffer.from(given), Buffer.from(token))) return undefined;
      return name === 'stream' ? root : named.get(name);
    },
  };
}
