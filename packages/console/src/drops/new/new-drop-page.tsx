import limits from 'api-limits:POST /api/drops';
import type { Drop, NewDrop } from '@lynceus/client';
import { Box, Button, Group, Stack, Stepper, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PageHead } from '../../kit/page-head.js';
import { SchemaForm, useSchemaForm } from '../../kit/schema-form.js';
import { useClient } from '../../service/client.js';
import { Connection } from '../connection/connection.js';
import { DestinationForm } from '../destination/destination-form.js';
import { WrittenForm } from '../written/written-form.js';

/** Creates a drop in four steps. The first creates it, so that the last can test its destination. */
export function NewDropPage() {
  const { t } = useTranslation();
  const [created, setCreated] = useState<{ readonly id: number; readonly key: string } | null>(null);
  const [step, setStep] = useState(0);
  return (
    <>
      <PageHead title={t('drops.steps.title')} back={{ to: '/drops', name: t('drops.title') }} />
      <Stepper
        active={step}
        {...(created === null ? {} : { onStepClick: (wanted: number) => setStep(Math.max(1, wanted)) })}
        allowNextStepsSelect={created !== null}
        size="sm"
        mb="lg"
        wrap
      >
        <Stepper.Step label={t('drops.steps.name')} />
        <Stepper.Step label={t('drops.steps.send')} />
        <Stepper.Step label={t('drops.steps.written')} />
        <Stepper.Step label={t('drops.steps.destination')} />
      </Stepper>
      {created === null ? (
        <NameStep
          onCreated={(drop) => {
            setCreated({ id: drop.id, key: drop.key });
            setStep(1);
          }}
        />
      ) : (
        <Steps id={created.id} secret={created.key} step={step} onStep={setStep} />
      )}
    </>
  );
}

function Steps({
  id,
  secret,
  step,
  onStep,
}: {
  id: number;
  secret: string;
  step: number;
  onStep: (step: number) => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const [isSaved, setIsSaved] = useState(false);
  const { data } = useQuery<Drop>({
    queryKey: ['drops', 'one', id],
    queryFn: ({ signal }) => client.drops.read(id, { signal }),
  });
  if (!data) return null;
  if (step <= 1) {
    return (
      <Stack>
        <Connection drop={data} secret={secret} />
        <Button w="fit-content" onClick={() => onStep(2)}>
          {t('drops.steps.copied')}
        </Button>
      </Stack>
    );
  }
  if (step === 2) {
    return (
      <Stack>
        <Group>
          <Text>{t('drops.steps.writtenText')}</Text>
          <Button variant="light" onClick={() => onStep(3)}>
            {t('drops.steps.asItIs')}
          </Button>
        </Group>
        <WrittenForm drop={data} submitLabel={t('drops.steps.next')} onSaved={() => onStep(3)} />
      </Stack>
    );
  }
  return (
    <Stack>
      <Text>{t('destinations.text')}</Text>
      <DestinationForm drop={data} onSaved={() => setIsSaved(true)} />
      <Group>
        <Button component={Link} to={`/drops/${id}`} variant={isSaved ? 'filled' : 'default'}>
          {t('drops.steps.finish')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Creates a drop by its name: all other settings have defaults. */
function NameStep({ onCreated }: { onCreated: (drop: NewDrop) => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const form = useSchemaForm({
    limits,
    initialValues: { name: '', userName: '' },
    save: ({ name, userName }) => client.drops.create({ name, ...(userName === '' ? {} : { userName }) }),
    onSaved: (drop) => {
      const { key: _, ...shown } = drop;
      queries.setQueryData(['drops', 'one', drop.id], shown);
      queries.invalidateQueries({ queryKey: ['drops', 'list'] });
      onCreated(drop);
    },
  });
  return (
    <Box maw={520}>
      <SchemaForm form={form} submit={t('drops.steps.begin')}>
        <TextInput
          label={t('drops.name')}
          description={t('drops.steps.nameText')}
          placeholder={t('drops.steps.nameExample')}
          autoFocus
          {...form.text('name')}
        />
        <TextInput
          label={t('drops.steps.userName')}
          description={t('drops.steps.userNameHint')}
          autoComplete="off"
          spellCheck={false}
          {...form.text('userName')}
        />
      </SchemaForm>
    </Box>
  );
}
