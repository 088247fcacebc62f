import type { EmbeddedBy } from '@lynceus/client';
import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewFaces } from '../queries.js';
import { useReceipt } from '../use-receipt.js';
import { useChangeEmbedder } from './embedder-change.js';

/** Previous models: going back to one is quick until its embeddings are deleted. */
export function KeptEmbedders({ modelId, kept }: { modelId: number; kept: readonly EmbeddedBy[] }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const confirm = useConfirm();
  const showReceipt = useReceipt();
  const renew = useRenewFaces();
  const change = useChangeEmbedder(modelId);
  const forget = useAction({
    mutationFn: () => client.embedders.forgetKept(modelId),
    onSuccess: (receipt) => {
      showReceipt(t('embedder.forgotten'), receipt);
      return renew();
    },
  });
  const ask = () =>
    confirm({
      title: t('embedder.forgetTitle'),
      text: t('embedder.forgetText'),
      yes: t('embedder.forget'),
      onYes: () => forget.mutate(),
    });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('embedder.kept')}
      </Title>
      {kept.map(({ embedder, chain, images }) => (
        <Group key={embedder} justify="space-between" gap="xs">
          <div>
            <Code style={{ overflowWrap: 'anywhere' }}>{embedder}</Code>
            <Text size="sm" c="dimmed">
              {t('embedder.described', { images: t('faces.images', { count: images }) })}
            </Text>
          </div>
          {mayChange && chain && (
            <Button
              size="xs"
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate({ chain })}
            >
              {t('embedder.goBack')}
            </Button>
          )}
        </Group>
      ))}
      {mayChange && (
        <Group>
          <Button size="xs" variant="light" color="red" loading={forget.isPending} onClick={ask}>
            {t('embedder.forget')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
