import { createDeck } from '../load/deck.js';
import { createVisitor, type Visitor } from '../load/visitor.js';
import type { Service } from '../service.js';

/** One thing that a client does. */
export interface Operation<Stage> {
  readonly weight: number;
  /** Asks for one change and writes it down: as possible before it is sent, as certain when it is answered. */
  perform(stage: Stage & { readonly visitor: Visitor }): Promise<void>;
}

/** Clients who ask until their service is gone. */
export function startOperations<Stage extends object>(
  { url }: Pick<Service, 'url'>,
  stage: Stage,
  { clients, operations }: { readonly clients: number; readonly operations: readonly Operation<Stage>[] },
): { over(): Promise<void> } {
  let isOver = false;
  const runClient = async () => {
    const deal = createDeck(operations);
    const own = createVisitor(url);
    let isCut = false;
    const visitor: Visitor = {
      ...own,
      async ask(sent) {
        const answer = await own.ask(sent);
        isCut ||= answer.outcome.startsWith('failed');
        return answer;
      },
    };
    // Once its connection broke it asks no more: what is sent to nobody must not count as sent.
    while (!isOver && !isCut) await deal().perform({ ...stage, visitor });
    await own.close();
  };
  const all = Promise.all(Array.from({ length: clients }, runClient));
  // Told by `over`, after the service was stopped.
  all.catch(() => undefined);
  return {
    over: async () => {
      isOver = true;
      await all;
    },
  };
}
