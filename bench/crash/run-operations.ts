import { random } from '../kill/chance.js';
import { createDeck } from '../load/deck.js';
import { createVisitor, type Visitor } from '../load/visitor.js';
import type { Service } from '../service.js';

/** One operation of a client. */
export interface Operation<Stage> {
  readonly weight: number;
  /** Requests one change and records it: as possible before it is sent, as certain when it is answered. */
  perform(stage: Stage & { readonly visitor: Visitor }): Promise<void>;
}

/** Clients that send requests until their service is killed. */
export function startOperations<Stage extends object>(
  { url }: Pick<Service, 'url'>,
  stage: Stage,
  { clients, operations }: { readonly clients: number; readonly operations: readonly Operation<Stage>[] },
): { over(): Promise<void> } {
  let isOver = false;
  const runClient = async () => {
    const deal = createDeck(operations, random);
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
    // A client stops when its connection breaks: later requests must not count as sent.
    while (!isOver && !isCut) await deal().perform({ ...stage, visitor });
    await own.close();
  };
  const all = Promise.all(Array.from({ length: clients }, runClient));
  // Reported by `over`, after the service was stopped.
  all.catch(() => undefined);
  return {
    over: async () => {
      isOver = true;
      await all;
    },
  };
}
