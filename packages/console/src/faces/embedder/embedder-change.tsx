import type { EmbedderState, FaceChain } from '@lynceus/client';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { toSentence } from '../../kit/error-text.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewFaces } from '../queries.js';

/** A change that is running, held or failed: its progress, and how to continue. */
export function EmbedderChange({
  modelId,
  change,
  chain,
}: {
  modelId: number;
  change: EmbedderState['change'];
  chain: FaceChain;
}) {
  const { t } = useTranslation();
  const { number, duration } = useFormat();
  const mayChange = useMayChange();
  const confirm = useConfirm();
  const changeEmbedder = useChangeEmbedder(modelId);
  const { state, done, total, seconds_left: secondsLeft } = change;
  const isStuck = state === 'held' || state === 'failed';
  const share = total === 0 ? 1 : done / total;
  const askCancel = () =>
    confirm({
      title: t('embedder.cancelTitle'),
      text: t('embedder.cancelText'),
      yes: t('embedder.cancel'),
      onYes: () => changeEmbedder.mutate('cancel'),
    });
  return (
    <Alert
      color={isStuck ? 'orange' : 'blue'}
      variant="light"
      title={t(`embedder.state.${state}`, { chain: t(`embedder.chain.${chain}`) })}
    >
      <Stack gap="sm">
        <Progress
          value={share * 100}
          aria-label={t('embedder.progress')}
          animated={!isStuck}
          color={isStuck ? 'orange' : 'blue'}
        />
        <Text size="sm" role="status">
          {t('embedder.done', {
            done: number(done),
            total: number(total),
          })}
          {secondsLeft !== null && ` ${t('embedder.left', { time: duration(secondsLeft) })}`}
        </Text>
        {change.error && <Text size="sm">{toSentence(change.error)}</Text>}
        {change.advice && <Text size="sm">{toSentence(change.advice)}</Text>}
        {mayChange && (
          <Group gap="xs">
            {isStuck && (
              <>
                <Button
                  size="xs"
                  loading={changeEmbedder.isPending}
                  onClick={() => changeEmbedder.mutate({ chain })}
                >
                  {t('embedder.again')}
                </Button>
                {state === 'held' && (
                  <Button
                    size="xs"
                    variant="default"
                    loading={changeEmbedder.isPending}
                    onClick={() => changeEmbedder.mutate({ chain, leaveOut: true })}
                  >
                    {t('embedder.leaveOut')}
                  </Button>
                )}
              </>
            )}
            <Button size="xs" variant="default" loading={changeEmbedder.isPending} onClick={askCancel}>
              {t('embedder.cancel')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Starts, resumes or cancels a change. */
export function useChangeEmbedder(modelId: number) {
  const client = useClient();
  const queries = useQueryClient();
  const renew = useRenewFaces();
  return useAction({
    mutationFn: (wanted: { readonly chain: FaceChain; readonly leaveOut?: boolean } | 'cancel') =>
      wanted === 'cancel' ? client.embedders.cancelChange(modelId) : client.embedders.change(modelId, wanted),
    onSuccess: (state: EmbedderState) => {
      queries.setQueryData(['perceptions', modelId, 'embedder'], state);
      return renew();
    },
  });
}
