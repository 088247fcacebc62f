import { LynceusError } from '@lynceus/client';
import { useMutation } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { useShowError } from './error-text.js';

interface FileLink {
  readonly href: string;
  readonly target: string;
  /** The name to save it under; empty: its own; null: it is shown. */
  readonly saveAs: string | null;
}

/**
 * For `onClick` of a link to a file of the service, which the browser fetches by itself, straight to the disk: it may be larger than
 * the memory of a page. Asks first whether it would come, and says why not, where the browser would show the service's JSON.
 */
export function useFileLink(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const onError = useShowError();
  const open = useMutation({
    mutationFn: ({ href }: FileLink) => checkFile(href),
    onSuccess: (_, link) => follow(link),
    onError,
  });
  return (event) => {
    // Another window and the like are the browser's own business.
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
