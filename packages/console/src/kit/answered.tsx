import { LynceusError } from '@lynceus/client';
import { Alert, Button, Center, Loader, Stack } from '@mantine/core';
import { mdiAlert } from '@mdi/js';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from './error-text.js';
import { Icon } from './icon.js';
import { NotFound } from './not-found.js';

/** The data of a query; until it is there, a loader, or why the request failed. */
export function Answered<Data>({
  query,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  children: (data: Data) => ReactNode;
}) {
  // Also after it was shown: another window may have deleted it.
  if (query.error && isGone(query.error)) return <NotFound />;
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <FailedQuery error={query.error} onRetry={() => query.refetch()} />;
  return <Waiting />;
}

export function Waiting() {
  const { t } = useTranslation();
  return (
    <Center mih="40vh" role="status" aria-label={t('shell.waiting')}>
      <Loader />
    </Center>
  );
}

/** Whether the service has no such id. */
const isGone = (error: Error) => error instanceof LynceusError && error.code === 'not_found';

export function FailedQuery({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <Alert color="red" icon={<Icon path={mdiAlert} />} title={t('shell.failed')} role="alert">
      <Stack align="start" gap="sm">
        {errorText(error)}
        <Button size="xs" variant="default" onClick={onRetry}>
          {t('shell.retry')}
        </Button>
      </Stack>
    </Alert>
  );
}
