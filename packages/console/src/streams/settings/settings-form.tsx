import type { Stream, StreamSettingsInput } from '@lynceus/client';
import { Button, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Changeable } from '../../kit/changeable.js';
import { FormError } from '../../kit/save-form.js';
import { useMayChange } from '../../service/current-session.js';
import { useSaveSettings } from '../queries.js';

/** A part of the settings of a stream as a form of its own: what it does not have stays as it is. */
export function SettingsForm<Values extends StreamSettingsInput>({
  stream,
  valuesOf,
  validate,
  children,
}: {
  stream: Stream;
  valuesOf: (settings: Stream['settings']) => Values;
  /** Texts of faults by field. */
  validate: (values: Values) => Readonly<Record<string, string | null>>;
  children: (form: UseFormReturnType<Values>) => ReactNode;
}) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const form = useForm<Values>({ initialValues: valuesOf(stream.settings), validate });
  const save = useSaveSettings(stream.id);
  const submit = form.onSubmit((values) =>
    save.mutate(values, {
      onSuccess: ({ settings }) => {
        form.setInitialValues(valuesOf(settings));
        form.setValues(valuesOf(settings));
        form.resetDirty();
      },
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Changeable>
        <Stack gap="lg" maw={720}>
          {children(form)}
          <FormError error={save.error} />
          {mayChange && (
            <Button type="submit" w="fit-content" loading={save.isPending}>
              {t('streams.save')}
            </Button>
          )}
        </Stack>
      </Changeable>
    </form>
  );
}
