import { Alert, Anchor, Button, Grid, Paper, Stack, Tabs } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CodeBlock } from '../kit/code-block.js';
import { useErrorText } from '../kit/error-text.js';
import { type ChosenImage, ImageInput } from '../kit/image/image-input.js';
import { PageHead } from '../kit/page-head.js';
import { useMayChange } from '../service/current-session.js';
import { usePredictClient } from '../service/page-key.js';
import { analyse } from './analyse.js';
import { Examples } from './examples.js';
import { readSample } from './read-sample.js';
import { type Wish, wishOfAddress } from './wish.js';
import { WishForm } from './wish-form.js';

// What shows findings is fetched while the first image is looked at.
const Shown = lazy(async () => ({ default: (await import('./shown.js')).Shown }));
const Results = lazy(async () => ({ default: (await import('./results.js')).Results }));

interface Question {
  readonly chosen: ChosenImage;
  readonly wish: Wish;
}

/** Of a list of classes the tail is noise; it is a slide away. */
const usualMinScore = 0.05;

export function TryPage() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const mayAsk = useMayChange();
  const predictClient = usePredictClient();
  const [chosen, setChosen] = useState<ChosenImage | null>(null);
  const [params] = useSearchParams();
  const [wish, setWish] = useState<Wish>(() => wishOfAddress(params));
  const [minScore, setMinScore] = useState(usualMinScore);
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const question = useMutation({
    mutationFn: async ({ chosen, wish }: Question) =>
      analyse(await predictClient(), chosen, wish, AbortSignal.timeout(120_000)),
  });
  const choose = (image: ChosenImage) => {
    setChosen(image);
    question.mutate({ chosen: image, wish });
  };
  const change = (changed: Wish) => {
    setWish(changed);
    if (chosen) question.mutate({ chosen, wish: changed });
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
            {question.error && (
              <Alert color="red" role="alert" title={t('shell.failed')}>
                {errorText(question.error)}
              </Alert>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Paper withBorder p="md">
            <Stack>
              <WishForm wish={wish} onChange={change} />
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
              <Examples wish={wish} chosen={chosen} />
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
