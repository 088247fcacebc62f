import limits from 'api-limits:POST /api/streams';
import type { Stream } from '@lynceus/client';
import { Button, Group, Stack, Stepper, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { mdiConnection } from '@mdi/js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { findFieldFault, markFieldFault } from '../../kit/field-fault.js';
import { textLimits } from '../../kit/field-limits.js';
import { Icon } from '../../kit/icon.js';
import { FormError } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { LookFields, useLookFaults } from '../settings/look-fields.js';
import { type LookValues, usualLook } from '../settings/look-values.js';
import { SourceFields, useSourceFaults } from '../source/source-fields.js';
import { SourceVerdict, useSourceTest } from '../source/source-test.js';
import { emptySource, type SourceValues, sourceFieldNames, sourceOf } from '../source/source-values.js';

/** Adds a camera in two steps: its connection, which can be tested, and what to look for. */
export function NewStream({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery('(max-width: 36em)');
  const { source, look, name, nameFault, setName, checkName, create } = useNewStream();
  const [step, setStep] = useState(0);
  const goOn = source.onSubmit(() => {
    if (checkName()) setStep(1);
  });
  return (
    <Window onClose={onClose} title={t('streams.new.title')} size="lg" fullScreen={isNarrow === true}>
      <Stepper active={step} size="xs" mb="md" onStepClick={(wanted) => wanted === 0 && setStep(0)}>
        <Stepper.Step label={t('streams.new.connect')} />
        <Stepper.Step label={t('streams.new.look')} allowStepSelect={false} />
      </Stepper>
      {step === 0 ? (
        <form
          noValidate
          onSubmit={(event) => {
            checkName();
            goOn(event);
          }}
        >
          <Stack>
            <TextInput
              label={t('streams.name')}
              placeholder={t('streams.new.nameExample')}
              dir="auto"
              {...textLimits(limits, 'name')}
              data-autofocus
              value={name}
              error={nameFault}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <ConnectionStep form={source} />
          </Stack>
        </form>
      ) : (
        <form
          noValidate
          onSubmit={look.onSubmit((values) =>
            create.mutate(
              { source: source.values, look: values },
              // The field is in the first step.
              { onError: (error) => markFieldFault(source, error, sourceFieldNames) && setStep(0) },
            ),
          )}
        >
          <Stack>
            <LookFields form={look} />
            <FormError error={findFieldFault(create.error, sourceFieldNames) ? null : create.error} />
            <Group justify="space-between">
              <Button variant="default" onClick={() => setStep(0)}>
                {t('streams.new.back')}
              </Button>
              <Button type="submit" loading={create.isPending}>
                {t('streams.new.create')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Window>
  );
}

/** The source, its test, and the buttons. */
function ConnectionStep({ form }: { form: ReturnType<typeof useNewStream>['source'] }) {
  const { t } = useTranslation();
  const test = useSourceTest();
  const isGood = test.data?.ok === true;
  return (
    <>
      <SourceFields form={form} />
      <SourceVerdict test={test} />
      <Group justify="space-between">
        <Button
          variant={isGood ? 'default' : 'light'}
          leftSection={<Icon path={mdiConnection} size={18} />}
          loading={test.isPending}
          onClick={() => form.onSubmit((values) => test.mutate(values))()}
        >
          {t('streamSource.test')}
        </Button>
        <Button type="submit">{t('streams.new.next')}</Button>
      </Group>
    </>
  );
}

/** The values of both steps, and the request that creates the stream and opens it. */
function useNewStream() {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [nameFault, setNameFault] = useState<string | null>(null);
  const source = useForm<SourceValues>({ initialValues: emptySource, validate: useSourceFaults() });
  const look = useForm<LookValues>({ initialValues: usualLook, validate: useLookFaults() });
  const create = useMutation({
    mutationFn: (values: { readonly source: SourceValues; readonly look: LookValues }): Promise<Stream> =>
      client.streams.create({ name, source: sourceOf(values.source), settings: values.look }),
    onSuccess: (stream) => {
      queries.setQueryData(['streams', 'one', stream.id], stream);
      queries.invalidateQueries({ queryKey: ['streams', 'list'] });
      navigate(`/streams/${stream.id}`);
    },
  });
  return {
    ...{ source, look, create, name, nameFault },
    setName: (next: string) => {
      setName(next);
      setNameFault(null);
    },
    /** Shows what is wrong with the name. */
    checkName: () => {
      const isGood = name.trim() !== '';
      setNameFault(isGood ? null : t('streams.new.needsName'));
      return isGood;
    },
  };
}
