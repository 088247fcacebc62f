import type { EmbedderState, FaceChain } from '@lynceus/client';
import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { useChangeEmbedder } from './use-change-embedder.js';

const chains = ['accurate', 'permissive'] as const satisfies readonly FaceChain[];

/** Which models shall describe the faces. */
export function ChainChoice({ modelId, state }: { modelId: number; state: EmbedderState }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const change = useChangeEmbedder(modelId);
  const [chain, setChain] = useState<FaceChain>(state.chain ?? 'accurate');
  const ask = () =>
    confirm({
      title: t('embedder.changeTitle', { chain: t(`embedder.chain.${chain}`) }),
      text: t('embedder.changeText'),
      yes: t('embedder.change'),
      onYes: () => change.mutate({ chain }),
    });
  return (
    <Radio.Group
      label={t('embedder.choose')}
      value={chain}
      onChange={(value) => setChain(value === 'permissive' ? 'permissive' : 'accurate')}
    >
      <Stack gap="xs" mt="xs">
        {chains.map((one) => (
          <Radio
            key={one}
            value={one}
            label={t(`embedder.chain.${one}`)}
            description={t(`embedder.about.${one}`)}
          />
        ))}
        <Group mt="xs">
          <Button disabled={chain === state.chain} loading={change.isPending} onClick={ask}>
            {t('embedder.change')}
          </Button>
          {chain === state.chain && (
            <Text size="sm" c="dimmed">
              {t('embedder.inUse')}
            </Text>
          )}
        </Group>
      </Stack>
    </Radio.Group>
  );
}
