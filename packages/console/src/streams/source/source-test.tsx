import type { TestedStreamSource } from '@lynceus/client';
import { Alert, Group, Image, Loader, Stack, Text } from '@mantine/core';
import { mdiAlert, mdiCheckCircle } from '@mdi/js';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { toSentence, useErrorText } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { useClient } from '../../service/client.js';
import { type SourceValues, sourceOf } from './source-values.js';

type SourceTest = UseMutationResult<TestedStreamSource, Error, SourceValues>;

/** Connects to a source; for a stream that there is, with its stored password. */
export function useSourceTest(streamId?: number): SourceTest {
  const client = useClient();
  return useMutation({
    mutationFn: (values: SourceValues) => {
      const source = sourceOf(values);
      return streamId === undefined
        ? client.streams.testSource(source)
        : client.streams.test(streamId, { source });
    },
  });
}

/** The result of the test: the frame that arrived, or why none did. */
export function SourceVerdict({ test }: { test: SourceTest }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (test.isPending) {
    return (
      <Group gap="sm" role="status" wrap="nowrap">
        <Loader size="sm" />
        <Text size="sm">{t('streamSource.testing')}</Text>
      </Group>
    );
  }
  if (test.error) return <Failure title={t('streamSource.bad')} text={errorText(test.error)} />;
  if (!test.data) return null;
  const { ok, reason, frame, width, height } = test.data;
  if (!ok) return <Failure title={t('streamSource.bad')} text={toSentence(`${reason ?? ''}.`)} />;
  const size = { width: width ?? 0, height: height ?? 0 };
  return (
    <Alert color="lynx" icon={<Icon path={mdiCheckCircle} />} role="status" title={t('streamSource.good')}>
      <Stack gap="xs">
        {t('streamSource.goodText', size)}
        {frame !== null && (
          <Image
            src={`data:image/jpeg;base64,${frame}`}
            alt={t('streamSource.frame')}
            radius="md"
            mah={170}
            w="auto"
            fit="contain"
          />
        )}
      </Stack>
    </Alert>
  );
}

function Failure({ title, text }: { title: string; text: string }) {
  return (
    <Alert color="red" icon={<Icon path={mdiAlert} />} role="alert" title={title}>
      <span style={{ overflowWrap: 'anywhere' }}>{text}</span>
    </Alert>
  );
}
