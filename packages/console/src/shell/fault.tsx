import { Alert, Button, Container, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';

/** A page that broke: what happened, and a way on. */
export function Fault() {
  const { t } = useTranslation();
  const error = useRouteError();
  return (
    <Container size="sm" py="xl">
      <Alert color="red" title={t('shell.faultTitle')}>
        <Stack align="start">
          {error instanceof Error ? error.message : String(error)}
          <Button onClick={() => window.location.reload()}>{t('shell.reload')}</Button>
        </Stack>
      </Alert>
    </Container>
  );
}
