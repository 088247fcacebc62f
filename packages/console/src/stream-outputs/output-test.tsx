import type { StreamOutput } from '@lynceus/client';
import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { mdiAlert, mdiCheckCircle } from '@mdi/js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { toSentence } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { FormError } from '../kit/save-form.js';
import { useFormat } from '../kit/use-format.js';
import { Window } from '../kit/window.js';
import { useClient } from '../service/client.js';

/** Sends a test event, and says what came of it. */
export function OutputTest({ output, onClose }: { output: StreamOutput; onClose: () => void }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const client = useClient();
  const queries = useQueryClient();
  const { id, name } = output;
  const test = useQuery({
    queryKey: ['stream-output-test', id],
    queryFn: ({ signal }) => client.streamOutputs.test(id, { signal }),
    // Each window sends one event, and no more by itself.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const verdict = test.isFetching ? undefined : test.data;
  useEffect(() => {
    if (verdict) queries.invalidateQueries({ queryKey: ['stream-outputs'] });
  }, [verdict, queries]);
  return (
    <Window onClose={onClose} title={t('streamOutputs.testTitle', { name })}>
      <Stack>
        <div role="status">
          {test.isFetching && (
            <Stack align="center">
              <Loader />
              <Text>{t('streamOutputs.testing')}</Text>
            </Stack>
          )}
          {verdict?.ok === true && (
            <Alert color="lynx" icon={<Icon path={mdiCheckCircle} />} title={t('streamOutputs.testGood')}>
              <span style={{ overflowWrap: 'anywhere' }}>
                {t('streamOutputs.testGoodText', {
                  where: verdict.where,
                  time: number(verdict.duration_ms / 1000, 1),
                })}
              </span>
            </Alert>
          )}
          {verdict?.ok === false && (
            <Alert
              color="red"
              icon={<Icon path={mdiAlert} />}
              title={
                verdict.problem ? t(`streamOutputs.problem.${verdict.problem}`) : t('streamOutputs.testBad')
              }
            >
              <span style={{ overflowWrap: 'anywhere' }}>{toSentence(verdict.message ?? '')}</span>
            </Alert>
          )}
        </div>
        {!test.isFetching && <FormError error={test.error} />}
        <Button variant="default" disabled={test.isFetching} onClick={() => test.refetch()}>
          {t('streamOutputs.testAgain')}
        </Button>
      </Stack>
    </Window>
  );
}
