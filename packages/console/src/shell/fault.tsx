import { Alert, Button, Container, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { openClient } from '../service/client.js';

/** A page that broke: what happened, and a way on. */
export function Fault() {
  const { t } = useTranslation();
  const error = useRouteError();
  const isUnfetched = error instanceof TypeError && unfetched.test(error.message);
  useLoadOnceServed(isUnfetched);
  return (
    <Container size="sm" py="xl">
      <Alert color="red" title={isUnfetched ? t('shell.failed') : t('shell.faultTitle')} role="alert">
        <Stack align="start">
          {isUnfetched ? t('shell.noAnswer') : error instanceof Error ? error.message : String(error)}
          <Button onClick={() => window.location.reload()}>{t('shell.reload')}</Button>
        </Stack>
      </Alert>
    </Container>
  );
}

/** As Chromium, Firefox and Safari say that a page's own script did not come: the service restarts, or is of another version now. */
const unfetched = /dynamically imported module|importing a module script failed/i;
const againMs = 2000;
/** No page is loaded again sooner than this: one that can never be fetched shall not flicker. */
const freshMs = 10_000;

/** Loads the page again as soon as the service answers. */
function useLoadOnceServed(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(() => {
      if (performance.now() < freshMs) return;
      openClient.session.state().then(
        () => window.location.reload(),
        () => undefined,
      );
    }, againMs);
    return () => clearInterval(timer);
  }, [isWanted]);
}
