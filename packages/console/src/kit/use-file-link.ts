import { useMutation } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { checkFile } from '../service/check-file.js';
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
