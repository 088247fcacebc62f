import type { EmbedderState } from '@lynceus/client';
import { Badge, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Answered } from '../../kit/answered.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useModelId } from '../route-ids.js';
import { ChainChoice } from './chain-choice.js';
import { EmbedderChange } from './embedder-change.js';
import { KeptEmbedders } from './kept-embedders.js';
import { LeftOut } from './left-out.js';

const pollMs = 1500;

/** Which model describes the faces, and how a change of it gets on. */
export function EmbedderPage() {
  const modelId = useModelId();
  const client = useClient();
  const state = useQuery({
    queryKey: ['perceptions', modelId, 'embedder'],
    queryFn: ({ signal }) => client.embedders.read(modelId, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? pollMs : false),
  });
  return <Answered query={state}>{(now) => <Embedder modelId={modelId} state={now} />}</Answered>;
}

function isUnderWay({ change }: EmbedderState): boolean {
  return change.state === 'waiting' || change.state === 'embedding';
}

function Embedder({ modelId, state }: { modelId: number; state: EmbedderState }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  return (
    <Stack gap="xl" maw={720}>
      <Paper withBorder p="md">
        <Group gap="xs" mb={4}>
          <Title order={2} size="h4">
            {t('embedder.title')}
          </Title>
          <Badge variant="light">{state.chain ? t(`embedder.chain.${state.chain}`) : '?'}</Badge>
        </Group>
        <Text size="sm" c="dimmed" mb="xs">
          {t('embedder.text')}
        </Text>
        <Code style={{ overflowWrap: 'anywhere' }}>{state.embedder}</Code>
        <Text size="sm" mt="xs">
          {t('embedder.described', { images: t('faces.images', { count: state.images }) })}
          {state.inactive_corrections > 0 &&
            ` ${t('embedder.inactive', { count: state.inactive_corrections })}`}
        </Text>
      </Paper>
      {state.change.state === 'none'
        ? mayChange && <ChainChoice modelId={modelId} state={state} />
        : state.change.chain && (
            <EmbedderChange modelId={modelId} change={state.change} chain={state.change.chain} />
          )}
      {state.left_out.count > 0 && <LeftOut modelId={modelId} leftOut={state.left_out} />}
      {state.change.state === 'none' && state.kept.length > 0 && (
        <KeptEmbedders modelId={modelId} kept={state.kept} />
      )}
    </Stack>
  );
}
