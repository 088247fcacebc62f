/** Answers the bytes of an object from an offset on; throws where it cannot. */
type ReadFrom = (offsetBytes: number) => Promise<AsyncIterable<Uint8Array>>;

/** So often in a row a connection may be lost without a byte between. */
const maxLosses = 5;

/**
 * The bytes of an object that never changes, from one connection after the other: one that is lost, or ends early, is
 * taken up where it was.
 */
export async function* readResumed(
  first: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  readFrom: ReadFrom,
): AsyncIterable<Uint8Array> {
  let [at, losses] = [0, 0];
  let pieces = first;
  for (;;) {
    let lost: unknown = new Error('the store sent less than the object has');
    try {
      for await (const piece of pieces) {
        at += piece.byteLength;
        losses = 0;
        yield piece;
      }
    } catch (error) {
      lost = error;
    }
    if (at >= sizeBytes) return;
    losses += 1;
    if (losses > maxLosses) throw lost;
    pieces = await readFrom(at);
  }
}
