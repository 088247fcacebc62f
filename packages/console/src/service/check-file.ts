import { LynceusError } from '@lynceus/client';

/** Whether a file of the service would come; nothing of it is read. Throws a LynceusError, in the service's own words. */
export async function checkFile(address: string): Promise<void> {
  const enough = new AbortController();
  const answer = await fetch(address, { signal: enough.signal }).catch((cause: unknown) => {
    throw new LynceusError('network_error', 'no answer', { cause });
  });
  try {
    if (answer.ok) return;
    const problem: unknown = await answer.json().catch(() => null);
    const [code, detail] = ['code', 'detail'].map((name) =>
      typeof problem === 'object' && problem !== null ? Reflect.get(problem, name) : undefined,
    );
    throw new LynceusError(
      typeof code === 'string' ? code : 'unreadable_answer',
      typeof detail === 'string' ? detail : `HTTP ${answer.status}`,
      { httpStatus: answer.status },
    );
  } finally {
    enough.abort();
  }
}
