import { type RefObject, useEffect, useRef } from 'react';

/** For a list of tabs, which on a phone is wider than the window: scrolls it to the selected one. */
export function useTabInSight(selected: string): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another tab another element is selected
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected=true]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [selected]);
  return list;
}
