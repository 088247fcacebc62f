import { LynceusError } from '@lynceus/client';
import type { MouseEvent } from 'react';
import { useAction } from './use-action.js';

interface FileLink {
  readonly href: string;
  readonly target: string;
  /** The file name to save it under; empty: its own name; null: it is shown in the browser. */
  readonly saveAs: string | null;
}

/**
 * For `onClick` of a link to a file of the service. The browser downloads it straight to disk, as it may be larger than the
 * memory of a page. Checks first that the file can be downloaded, and shows the error where the browser would show JSON.
 */
export function useFileLink(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const open = useAction({
    mutationFn: ({ href }: FileLink) => checkFile(href),
    onSuccess: (_, link) => follow(link),
  });
  return (event) => {
    // With a modifier key the browser opens another window or tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { href, target } = event.currentTarget;
    open.mutate({ href, target, saveAs: event.currentTarget.getAttribute('download') });
  };
}

function follow({ href, target, saveAs }: FileLink): void {
  const link = Object.assign(document.createElement('a'), { href, target, rel: 'noopener' });
  if (saveAs !== null) link.setAttribute('download', saveAs);
  link.click();
}

/** Checks that a file of the service can be downloaded, without reading it. Throws the service's LynceusError. */
async function checkFile(address: string): Promise<void> {
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
