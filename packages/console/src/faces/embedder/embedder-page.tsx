import type { EmbedderState, FaceChain } from '@lynceus/client';
import {
  Anchor,
  Badge,
  Button,
  Code,
  Group,
  Paper,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Answered } from '../../kit/answered.js';
import { useConfirm } from '../../kit/confirm.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import { useModelId } from '../route-ids.js';
import { EmbedderChange, useChangeEmbedder } from './embedder-change.js';
import styles from './embedder-page.module.css';
import { KeptEmbedders } from './kept-embedders.js';

const chains = ['accurate', 'permissive'] as const satisfies readonly FaceChain[];

const pollMs = 1500;

/** The model that embeds the faces, and the progress of a change. */
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
        {state.refit && <Refit refit={state.refit} />}
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

/** How a decision point of the perception's own was moved with the model. */
function Refit({ refit }: { refit: NonNullable<EmbedderState['refit']> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { from, to, pairs } = refit;
  return (
    <Text size="sm" mt="xs">
      {t('embedder.refit', { from: from.cosine.toFixed(3), to: to.cosine.toFixed(3) })}{' '}
      {pairs > 0
        ? t('embedder.refitByPairs', { count: pairs, pairs: format.number(pairs) })
        : t('embedder.refitByModel')}
    </Text>
  );
}

/** Images in which the model finds no face: they are kept, but no search finds them. */
function LeftOut({ modelId, leftOut }: { modelId: number; leftOut: EmbedderState['left_out'] }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('embedder.leftOut', { count: leftOut.count })}
      </Title>
      <Text size="sm" c="dimmed">
        {t('embedder.leftOutText')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" component="ul" p={0} m={0}>
        {leftOut.images.map(({ image_id: imageId, reason }) => (
          <Group key={imageId} component="li" gap="sm" wrap="nowrap" className={styles['image'] ?? ''}>
            <div className={styles['face']}>
              <FaceThumbnail imageId={imageId} width={64} />
            </div>
            <div>
              <ToPersonOf modelId={modelId} imageId={imageId} />
              <Text size="sm">{t(`embedder.reason.${reason}`)}</Text>
            </div>
          </Group>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

/** Opens the person of an image. */
function ToPersonOf({ modelId, imageId }: { modelId: number; imageId: number }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const open = useAction({
    mutationFn: () => client.faceImages.read(imageId),
    onSuccess: ({ person_id }) => navigate(`/faces/${modelId}/people/${person_id}`),
  });
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => open.mutate()}>
      {t('person.image', { id: imageId })}
    </Anchor>
  );
}

/** Chooses the model that embeds the faces. */
function ChainChoice({ modelId, state }: { modelId: number; state: EmbedderState }) {
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
