/** Searches of the face index so far, by the metrics of a service: seconds, and how many. */
export async function readSearches(
  metricsUrl: string,
): Promise<{ readonly sum: number; readonly count: number }> {
  const text = await (await fetch(metricsUrl)).text();
  const value = (name: string) =>
    Number(new RegExp(`^lynceus_face_index_search_seconds_${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
  return { sum: value('sum'), count: value('count') };
}
