import { request } from 'undici';
import { seeded } from './seed.js';
import { seededStreams } from './seed-streams.js';

const { perceptionId, datasetId, classId, dropId, personId } = seeded;
const { streamId, zone } = seededStreams;
const year = 'from=2020-01-01&to=2030-12-31';

/** Every list of the API that grows, with each filter. */
export const lists: readonly string[] = [
  '/api/files',
  '/api/files?operation=drop.file',
  '/api/files?search=zebra',
  '/api/files?search=found-nowhere',
  '/api/files?search=found-nowhere&operation=drop.file',
  `/api/files?from=${new Date(Date.now() - 20 * 86_400_000).toISOString()}&to=${new Date(Date.now() - 10 * 86_400_000).toISOString()}`,
  '/api/perceptions',
  `/api/perceptions/${perceptionId}`,
  `/api/perceptions/${perceptionId}/people`,
  `/api/perceptions/${perceptionId}/people?search=99`,
  `/api/perceptions/${perceptionId}/people?search=nobody`,
  `/api/perceptions/${perceptionId}/images`,
  `/api/perceptions/${perceptionId}/embedder`,
  `/api/people/${personId}`,
  `/api/people/${personId}/images`,
  `/api/people/${personId}/corrections`,
  '/api/datasets',
  `/api/datasets/${datasetId}`,
  `/api/datasets/${datasetId}/images`,
  `/api/datasets/${datasetId}/images?class_id=${classId}`,
  `/api/datasets/${datasetId}/images?labelled=false`,
  `/api/datasets/${datasetId}/images?split=held-out`,
  `/api/datasets/${datasetId}/images?search=99`,
  `/api/datasets/${datasetId}/images?search=nothing`,
  '/api/models',
  '/api/drops',
  `/api/drops/${dropId}`,
  `/api/drops/${dropId}/files`,
  `/api/drops/${dropId}/files?state=waiting`,
  `/api/drops/${dropId}/files?state=failed`,
  `/api/drops/${dropId}/files?state=done`,
  `/api/drops/${dropId}/files?search=999`,
  `/api/drops/${dropId}/files?search=nothing`,
  '/api/streams',
  `/api/streams/${streamId}`,
  '/api/stream-tracks',
  `/api/stream-tracks?stream_id=${streamId}`,
  '/api/stream-tracks?label=dog',
  '/api/stream-tracks?label=zebra',
  `/api/stream-tracks?zone=${zone}`,
  '/api/stream-tracks?zone=nowhere',
  '/api/stream-events',
  `/api/stream-events?stream_id=${streamId}`,
  '/api/stream-events?kind=zone_entered',
  '/api/stream-outputs',
  '/api/videos',
  '/api/jobs',
  '/api/jobs?kind=train-model',
  '/api/jobs?subject=7',
  '/api/keys',
  '/api/account',
  `/api/usage?${year}`,
  `/api/usage?${year}&group_by=day`,
  `/api/usage?${year}&group_by=operation`,
  `/api/usage?${year}&group_by=key`,
];

export interface ListFigures {
  readonly path: string;
  /** The first answer after a start, which may include the compilation of the route's serialiser. */
  readonly coldMs: number;
  /** The longer of two more. */
  readonly firstPageMs: number;
  /** Of the tenth page, or the last one before it. */
  readonly laterPageMs: number;
  readonly pages: number;
  /** Longest block of the serving thread meanwhile; null where it was not measured. */
  readonly heldMs: number | null;
}

/** Requests each list as a page does: the first page, twice more, and then on to the tenth. Throws on errors. */
export async function measureLists(
  { url, key }: { readonly url: string; readonly key: string },
  readHeldMs: () => Promise<number | null> = async () => null,
): Promise<readonly ListFigures[]> {
  const ask = async (path: string) => {
    const startedAt = performance.now();
    const { statusCode, body } = await request(`${url}${path}`, { headers: { 'x-api-key': key } });
    const text = await body.text();
    const ms = performance.now() - startedAt;
    if (statusCode !== 200) throw new Error(`${path} was answered ${statusCode}: ${text}`);
    const page: { readonly next_cursor?: string | null } = JSON.parse(text);
    return { ms, cursor: page.next_cursor ?? null };
  };
  const figures: ListFigures[] = [];
  for (const path of lists) {
    const { ms: coldMs } = await ask(path);
    const first = [await ask(path), await ask(path)];
    let cursor = first.at(-1)?.cursor ?? null;
    let laterPageMs = 0;
    let pages = 1;
    for (; cursor !== null && pages < 10; pages += 1) {
      const next = await ask(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
      laterPageMs = next.ms;
      cursor = next.cursor;
    }
    const firstPageMs = Math.max(...first.map(({ ms }) => ms));
    figures.push({ path, coldMs, firstPageMs, laterPageMs, pages, heldMs: await readHeldMs() });
  }
  return figures;
}
