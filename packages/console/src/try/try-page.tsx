import type { LynceusClient } from '@lynceus/client';
import { Anchor, Button, Grid, Paper, Stack, Tabs } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CodeBlock } from '../kit/copied-text.js';
import type { Finding } from '../kit/image/finding.js';
import { type ChosenImage, ImageInput } from '../kit/image/image-input.js';
import { PageHead } from '../kit/page-head.js';
import { FormError } from '../kit/save-form.js';
import { callOfAddress, type PredictCall } from '../models/predict-call.js';
import { usePredictClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { CallForm } from './call-form.js';
import { Examples } from './examples.js';
import { findClasses, findDetections, findGeneral } from './findings.js';
import sampleUrl from './sample.jpg';

/** The answer to a call: its body, its findings, and the time it took. */
export interface Analysis {
  readonly body: unknown;
  readonly fileId: string | null;
  readonly findings: readonly Finding[];
  readonly durationMs: number;
}

// The code for findings is loaded while the first image is analysed.
const Shown = lazy(async () => ({ default: (await import('./shown.js')).Shown }));
const Results = lazy(async () => ({ default: (await import('./results.js')).Results }));

interface Question {
  readonly chosen: ChosenImage;
  readonly call: PredictCall;
}

/** Classes below this score are noise; the slider shows them. */
const usualMinScore = 0.05;

export function TryPage() {
  const { t } = useTranslation();
  const mayAsk = useMayChange();
  const predictClient = usePredictClient();
  const [chosen, setChosen] = useState<ChosenImage | null>(null);
  const [params] = useSearchParams();
  const [call, setCall] = useState<PredictCall>(() => callOfAddress(params));
  const [minScore, setMinScore] = useState(usualMinScore);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const question = useMutation({
    mutationFn: async ({ chosen, call }: Question) =>
      analyse(await predictClient(), chosen, call, AbortSignal.timeout(120_000)),
  });
  const choose = (image: ChosenImage) => {
    setChosen(image);
    question.mutate({ chosen: image, call });
  };
  const change = (changed: PredictCall) => {
    setCall(changed);
    if (chosen) question.mutate({ chosen, call: changed });
  };
  const shown = question.data?.findings.filter(({ score }) => score === null || score >= minScore) ?? [];
  const highlight = { highlighted, onHighlight: setHighlighted };

  if (!mayAsk) return <PageHead title={t('tryIt.title')} text={t('tryIt.readers')} />;
  return (
    <>
      <PageHead title={t('tryIt.title')} text={t('tryIt.text')}>
        {chosen && (
          <Button
            variant="default"
            onClick={() => {
              setChosen(null);
              question.reset();
            }}
          >
            {t('tryIt.another')}
          </Button>
        )}
      </PageHead>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            {chosen ? (
              <Suspense>
                <Shown
                  chosen={chosen}
                  findings={shown}
                  isBusy={question.isPending}
                  isRefused={question.isError}
                  {...highlight}
                />
              </Suspense>
            ) : (
              <>
                <ImageInput onChoose={choose} isBusy={question.isPending} />
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  onClick={async () => choose(await readSample())}
                >
                  {t('tryIt.sample')}
                </Anchor>
              </>
            )}
            <FormError error={question.error} title={t('shell.failed')} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Paper withBorder p="md">
            <Stack>
              <CallForm call={call} onChange={change} />
              {question.data && (
                <Suspense>
                  <Results
                    findings={shown}
                    durationMs={question.data.durationMs}
                    minScore={minScore}
                    onMinScore={setMinScore}
                    {...highlight}
                  />
                </Suspense>
              )}
            </Stack>
          </Paper>
        </Grid.Col>
        <Grid.Col span={12}>
          <Tabs defaultValue="call" keepMounted={false}>
            <Tabs.List mb="sm">
              <Tabs.Tab value="call">{t('tryIt.sameCall')}</Tabs.Tab>
              <Tabs.Tab value="json" disabled={!question.data}>
                {t('tryIt.json')}
              </Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="call">
              <Examples call={call} chosen={chosen} />
            </Tabs.Panel>
            <Tabs.Panel value="json">
              {question.data && (
                <CodeBlock label={t('tryIt.json')} code={JSON.stringify(question.data.body, null, 2)} />
              )}
            </Tabs.Panel>
          </Tabs>
        </Grid.Col>
      </Grid>
    </>
  );
}

/** A sample image. */
async function readSample(): Promise<ChosenImage> {
  const image = await (await fetch(sampleUrl)).blob();
  return { file: new File([image], 'sample.jpg', { type: 'image/jpeg' }) };
}

async function analyse(
  client: LynceusClient,
  chosen: ChosenImage,
  call: PredictCall,
  signal: AbortSignal,
): Promise<Analysis> {
  const startMs = performance.now();
  const found = await ask(client, 'file' in chosen ? chosen.file : { url: chosen.url }, call, signal);
  return { ...found, durationMs: performance.now() - startMs };
}

async function ask(
  client: LynceusClient,
  image: File | { url: string },
  call: PredictCall,
  signal: AbortSignal,
): Promise<Omit<Analysis, 'durationMs'>> {
  if (call.kind === 'general') {
    const { parts, predictType } = call;
    const body = await client.recognise(image, { parts, predictType, signal });
    return { body, fileId: body.fileid, findings: findGeneral(body) };
  }
  if (call.kind === 'classify') {
    const { fileid, ...body } = await client.recogniseWith(image, { modelId: call.modelId, signal });
    return { body, fileId: fileid, findings: findClasses(body.predictions) };
  }
  const { modelId, confThresh } = call;
  const { fileid, ...body } = await client.detectObjects(image, { modelId, confThresh, signal });
  return { body, fileId: fileid, findings: findDetections(body.predictions) };
}
