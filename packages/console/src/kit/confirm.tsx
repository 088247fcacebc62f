import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useTranslation } from 'react-i18next';
import { findOpener } from './window.js';

/** Asks for a confirmation before something that cannot be undone. */
export function useConfirm() {
  const { t } = useTranslation();
  return ({
    title,
    text,
    yes,
    onYes,
    onNo,
  }: {
    title: string;
    text: string;
    yes: string;
    onYes: () => void;
    /** When it is cancelled or closed. */
    onNo?: () => void;
  }) => {
    const opener = findOpener();
    let isConfirmed = false;
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: yes, cancel: t('kit.cancel') },
      confirmProps: { color: 'red' },
      onConfirm: () => {
        isConfirmed = true;
        onYes();
      },
      onClose: () => {
        if (!isConfirmed) onNo?.();
      },
      onExitTransitionEnd: () => opener?.focus({ preventScroll: true }),
    });
  };
}
