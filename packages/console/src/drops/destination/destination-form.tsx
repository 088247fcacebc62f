import type { DestinationVerdict, Drop } from '@lynceus/client';
import {
  Alert,
  Button,
  Collapse,
  Fieldset,
  Group,
  Loader,
  Select,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { mdiAlert, mdiCheckCircle, mdiChevronDown, mdiChevronUp, mdiConnection } from '@mdi/js';
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toSentence, useErrorText } from '../../kit/error-text.js';
import { Icon } from '../../kit/icon.js';
import { FormError } from '../../kit/save-form.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { DestinationField } from './destination-field.js';
import { type FieldName, fieldsOf, isSecret, kinds } from './destination-fields.js';
import {
  type DestinationValues,
  destinationOf,
  findFault,
  missingFields,
  valuesOf,
} from './destination-values.js';

/** The destination of a drop: a form for each kind, and a test with its result. */
export function DestinationForm({ drop, onSaved }: { drop: Drop; onSaved: (drop: Drop) => void }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const [isMore, more] = useDisclosure(false);
  const { form, save, test, fault, submit, trySaved } = useDestinationForm(drop, onSaved);
  const { kind } = form.values;
  const kept: readonly string[] = drop.destination?.kind === kind ? drop.destination.secrets : [];
  const shown = (names: readonly FieldName[]) =>
    kind !== 'none' &&
    names.map((name) => (
      <DestinationField
        key={name}
        kind={kind}
        name={name}
        isNeeded={fieldsOf[kind].needed.includes(name)}
        isKept={isSecret(name) && kept.includes(name)}
        input={form.getInputProps(`fields.${name}`)}
      />
    ));
  return (
    <form onSubmit={submit} noValidate>
      <Fieldset variant="unstyled" disabled={!mayChange}>
        <Stack maw={760}>
          <Select
            label={t('destinations.kind')}
            allowDeselect={false}
            data={(['none', ...kinds] as const).map((value) => ({
              value,
              label: t(`destinations.kinds.${value}`),
            }))}
            {...form.getInputProps('kind')}
          />
          {kind !== 'none' && (
            <>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>{shown(fieldsOf[kind].first)}</SimpleGrid>
              <Button
                variant="subtle"
                size="compact-sm"
                w="fit-content"
                aria-expanded={isMore}
                onClick={more.toggle}
                leftSection={<Icon path={isMore ? mdiChevronUp : mdiChevronDown} size={16} />}
              >
                {t(isMore ? 'destinations.less' : 'destinations.more')}
              </Button>
              <Collapse expanded={isMore}>
                <SimpleGrid cols={{ base: 1, sm: 2 }}>{shown(fieldsOf[kind].more)}</SimpleGrid>
              </Collapse>
            </>
          )}
          <FormError error={fault} />
          <Verdict test={test} />
          {mayChange && (
            <Group>
              {kind !== 'none' && (
                <Button
                  variant={form.isDirty() ? 'filled' : 'default'}
                  leftSection={<Icon path={mdiConnection} size={18} />}
                  loading={test.isPending || save.isPending}
                  onClick={() => trySaved()}
                >
                  {t(form.isDirty() ? 'destinations.saveAndTest' : 'destinations.test')}
                </Button>
              )}
              {form.isDirty() && (
                <Button
                  type="submit"
                  variant={kind === 'none' ? 'filled' : 'default'}
                  loading={save.isPending}
                >
                  {t('destinations.save')}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

/** The result of the test of a destination: where the file was written, or what to fix. */
function Verdict({ test }: { test: UseMutationResult<DestinationVerdict, Error, void> }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const errorText = useErrorText();
  if (test.isPending) {
    return (
      <Group gap="sm" role="status">
        <Loader size="sm" />
        <Text size="sm">{t('destinations.testing')}</Text>
      </Group>
    );
  }
  if (test.error) {
    return (
      <Alert color="red" icon={<Icon path={mdiAlert} />} role="alert" title={t('shell.failed')}>
        {errorText(test.error)}
      </Alert>
    );
  }
  if (!test.data) return null;
  const { ok, where, problem, message, duration_ms } = test.data;
  const words = { style: { overflowWrap: 'anywhere' } } as const;
  return ok ? (
    <Alert color="lynx" icon={<Icon path={mdiCheckCircle} />} role="status" title={t('destinations.good')}>
      <span {...words}>{t('destinations.goodText', { where, ms: number(duration_ms) })}</span>
    </Alert>
  ) : (
    <Alert
      color="red"
      icon={<Icon path={mdiAlert} />}
      role="alert"
      title={t(`destinations.problem.${problem ?? 'settings'}`)}
    >
      <span {...words}>{toSentence(message ?? '')}</span>
    </Alert>
  );
}

/** The state of the form, with saving and testing. */
function useDestinationForm(drop: Drop, onSaved: (drop: Drop) => void) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [fault, setFault] = useState<Error | null>(null);
  const form = useForm<DestinationValues>({
    initialValues: valuesOf(drop.destination),
    validate: (values) =>
      Object.fromEntries(missingFields(values).map((name) => [`fields.${name}`, t('destinations.missing')])),
  });
  const test = useMutation({ mutationFn: () => client.drops.testDestination(drop.id) });
  const save = useMutation({
    mutationFn: (values: DestinationValues) =>
      client.drops.change(drop.id, { destination: destinationOf(values) }),
    onMutate: () => {
      setFault(null);
      test.reset();
    },
    onSuccess: (changed) => {
      queries.setQueryData(['drops', 'one', drop.id], changed);
      const values = valuesOf(changed.destination);
      form.setInitialValues(values);
      form.setValues(values);
      form.resetDirty();
      onSaved(changed);
    },
    onError: (error) => {
      const found = findFault(error.message);
      if (found) form.setFieldError(`fields.${found.field}`, found.text);
      else setFault(error);
    },
  });
  /** Saves changes first: the test is of the saved settings. */
  const trySaved = form.onSubmit((values) => {
    if (form.isDirty()) save.mutate(values, { onSuccess: () => test.mutate() });
    else test.mutate();
  });
  return { form, save, test, fault, submit: form.onSubmit((values) => save.mutate(values)), trySaved };
}
