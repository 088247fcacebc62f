import type { DestinationVerdict } from '@lynceus/client';
import { Alert, Group, Loader, Text } from '@mantine/core';
import { mdiAlert, mdiCheckCircle } from '@mdi/js';
import type { UseMutationResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';

/** What came of trying a destination: the place that was written to, or what to mend. */
export function Verdict({ test }: { test: UseMutationResult<DestinationVerdict, Error, void> }) {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  if (test.isPending) {
    return (
      <Group gap="sm" role="status">
        <Loader size="sm" />
        <Text size="sm">{t('destinations.testing')}</Text>
      </Group>
    );
  }
  if (test.error) {
    return (
      <Alert color="red" icon={<Icon path={mdiAlert} />} role="alert" title={t('shell.failed')}>
        {errorText(test.error)}
      </Alert>
    );
  }
  if (!test.data) return null;
  const { ok, where, problem, message, duration_ms } = test.data;
  const words = { style: { overflowWrap: 'anywhere' } } as const;
  return ok ? (
    <Alert color="lynx" icon={<Icon path={mdiCheckCircle} />} role="status" title={t('destinations.good')}>
      <span {...words}>
        {t('destinations.goodText', { where, ms: duration_ms.toLocaleString(i18n.language) })}
      </span>
    </Alert>
  ) : (
    <Alert
      color="red"
      icon={<Icon path={mdiAlert} />}
      role="alert"
      title={t(`destinations.problem.${problem ?? 'settings'}`)}
    >
      <span {...words}>{message}</span>
    </Alert>
  );
}
