import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { findOpener } from './find-opener.js';

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
