import { createDeck } from '../load/deck.js';
import type { Sent } from '../load/visitor.js';
import type { UpgradeOperation, UpgradeStage } from './operations.js';
import { createRetryingVisitor, type Experience } from './retrying-visitor.js';

/** Clients that send requests until they are to end, and give none up. */
export function startLoad(
  url: string,
  stage: Omit<UpgradeStage, 'visitor'>,
  options: {
    readonly clients: number;
    readonly operations: readonly UpgradeOperation[];
    readonly experience: Experience;
  },
): { over(): Promise<void> } {
  const { clients, operations, experience } = options;
  let isOver = false;
  const runClient = async () => {
    const deal = createDeck(operations);
    const visitor = createRetryingVisitor(url, experience, (sent) => countAgain(sent, stage));
    while (!isOver) {
      await deal()
        .perform({ ...stage, visitor })
        .catch((error: unknown) => experience.errors.push(String(error)));
    }
    await visitor.close();
  };
  const all = Promise.all(Array.from({ length: clients }, runClient));
  return {
    async over() {
      isOver = true;
      await all;
    },
  };
}

/** Both attempts may have been counted, and have enrolled a face. */
function countAgain({ path }: Sent, { keys, ledger }: Pick<UpgradeStage, 'keys' | 'ledger'>): void {
  if (!path.startsWith('/predict')) return;
  const payer = path.includes(keys.limited) ? 'limited' : 'unlimited';
  ledger.calls[payer].sent += 1;
  if (path.includes('command=insert_person_image')) ledger.faces.sent += 1;
}
