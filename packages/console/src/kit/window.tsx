import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';

/** A modal that is open while mounted; afterwards the focus returns. */
export function Window(props: Omit<ModalProps, 'opened'>) {
  useComeBack();
  return <Modal opened {...props} />;
}

/** Returns the focus on unmount. */
export function useComeBack(): void {
  const [opener] = useState(findOpener);
  useEffect(() => () => opener?.focus({ preventScroll: true }), [opener]);
}

/** The focused element when a window opens, to return the focus to; for an item of a menu, the button of the menu. */
export function findOpener(): HTMLElement | null {
  const at = document.activeElement;
  const button = at?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : at;
  return opener instanceof HTMLElement ? opener : null;
}
