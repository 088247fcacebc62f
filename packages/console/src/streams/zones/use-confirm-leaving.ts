import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { useConfirm } from '../../kit/confirm.js';

/** Asks before a navigation, or closing the page, loses changes. */
export function useConfirmLeaving(isChanged: boolean): void {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && currentLocation.pathname !== nextLocation.pathname,
  );
  const asked = useRef(false);
  useEffect(() => {
    if (blocker.state !== 'blocked' || asked.current) return;
    asked.current = true;
    confirm({
      title: t('streams.toLeave.title'),
      text: t('streams.toLeave.text'),
      yes: t('streams.toLeave.yes'),
      onYes: () => blocker.proceed(),
      onNo: () => blocker.reset(),
    });
  }, [blocker, confirm, t]);
  useEffect(() => {
    if (blocker.state === 'unblocked') asked.current = false;
  }, [blocker.state]);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isChanged]);
}
