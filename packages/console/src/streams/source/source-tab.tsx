import type { Stream } from '@lynceus/client';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { mdiConnection } from '@mdi/js';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Changeable } from '../../kit/changeable.js';
import { showDone } from '../../kit/error-text.js';
import { findFieldFault, markFieldFault } from '../../kit/field-fault.js';
import { Icon } from '../../kit/icon.js';
import { FormError } from '../../kit/save-form.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useShowChanged } from '../queries.js';
import { SourceFields, useSourceFaults } from './source-fields.js';
import { SourceVerdict, useSourceTest } from './source-test.js';
import { type SourceValues, sourceFieldNames, sourceOf, valuesOf } from './source-values.js';

/** The source of a stream, tried before it is saved. */
export function SourceTab({ stream }: { stream: Stream }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const showChanged = useShowChanged();
  const form = useForm<SourceValues>({
    initialValues: valuesOf(stream.source),
    validate: useSourceFaults(),
    onValuesChange: () => test.reset(),
  });
  const test = useSourceTest(stream.id);
  const save = useMutation({
    mutationFn: (values: SourceValues) => client.streams.change(stream.id, { source: sourceOf(values) }),
    onSuccess: (changed) => {
      const values = valuesOf(changed.source);
      form.setInitialValues(values);
      form.setValues(values);
      form.resetDirty();
      showDone(t('streams.saved'));
      return showChanged(changed);
    },
    onError: (error) => markFieldFault(form, error, sourceFieldNames),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Changeable>
        <Stack maw={640}>
          <SourceFields form={form} stored={stream.source} />
          <SourceVerdict test={test} />
          <FormError error={findFieldFault(save.error, sourceFieldNames) ? null : save.error} />
          {mayChange && (
            <Group>
              <Button
                variant="default"
                leftSection={<Icon path={mdiConnection} size={18} />}
                loading={test.isPending}
                onClick={() => form.onSubmit((values) => test.mutate(values))()}
              >
                {t('streamSource.test')}
              </Button>
              <Button type="submit" loading={save.isPending}>
                {t('streams.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </Changeable>
    </form>
  );
}
