import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/** A window over the page for as long as it is there; then the keyboard is where it was. */
export function Window(props: Omit<ModalProps, 'opened'>) {
  useComeBack();
  return <Modal opened {...props} />;
}

/** Afterwards the keyboard is where it was before. */
export function useComeBack(): void {
  const [opener] = useState(findOpener);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
}

/** What the keyboard was at when something opens, to come back to: of a menu, which is gone by then, the button that opens it. */
export function findOpener(): HTMLElement | null {
  const at = document.activeElement;
  const button = at?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : at;
  return opener instanceof HTMLElement ? opener : null;
}
