import limits from 'api-limits:POST /api/stream-outputs';
import secretLimits from 'api-limits:StreamOutputSecrets';
import type { NewStreamOutput, StreamOutput } from '@lynceus/client';
import { Accordion, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretOnce } from '../kit/copied-text.js';
import { showDone } from '../kit/error-text.js';
import { findFieldFault, markFieldFault } from '../kit/field-fault.js';
import { findLimits, textLimits } from '../kit/field-limits.js';
import { SaveForm } from '../kit/save-form.js';
import { Window } from '../kit/window.js';
import { useClient } from '../service/client.js';
import { EventFilterFields } from './event-filter-fields.js';
import { MoreFields } from './more-fields.js';
import {
  fieldsByGroup,
  isUrlOf,
  needsPrefix,
  type OutputKind,
  type OutputValues,
  outputFieldNames,
  outputKinds,
  toSecrets,
  toSettings,
  toValues,
} from './output-values.js';
import { ReceiverFields } from './receiver-fields.js';

const { minLength: minKeyLength = 0 } = findLimits(secretLimits, 'signingKey');
const groupNames = ['events', 'more'] as const;

/** Adds an output, or changes one. The key that the service creates for a webhook is shown once. */
export function OutputForm({ output, onClose }: { output: StreamOutput | null; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const [groups, setGroups] = useState<string[]>([]);
  /** A fault that cannot be seen would be none. */
  const openGroupOf = (fields: readonly string[]) =>
    setGroups((opened) => [
      ...new Set([
        ...opened,
        ...groupNames.filter((name) => fieldsByGroup[name].some((field) => fields.includes(field))),
      ]),
    ]);
  const form = useForm<OutputValues>({
    initialValues: toValues(output),
    validate: {
      name: (name) => (name.trim() === '' ? t('streamOutputs.required') : null),
      url: (url, { kind }) => (isUrlOf(kind, url) ? null : t(`streamOutputs.wrongUrl.${kind}`)),
      ...Object.fromEntries(
        (['prefix', 'frigatePrefix', 'discoveryPrefix'] as const).map((name) => [
          name,
          (text: string, values: OutputValues) =>
            text.trim() === '' && needsPrefix(name, values) ? t('streamOutputs.required') : null,
        ]),
      ),
      signingKey: (key, { kind }) =>
        kind === 'webhook' && key !== '' && key.length < minKeyLength ? t('streamOutputs.shortKey') : null,
    },
  });
  const save = useMutation({
    mutationFn: async (values: OutputValues): Promise<NewStreamOutput | null> => {
      const wanted = { name: values.name.trim(), settings: toSettings(values), secrets: toSecrets(values) };
      if (output === null) return client.streamOutputs.create(wanted);
      await client.streamOutputs.change(output.id, wanted);
      return null;
    },
    onSuccess: (created) => {
      if (!created?.signing_key) {
        showDone(created ? t('streamOutputs.isAdded', { name: created.name }) : t('streamOutputs.saved'));
        onClose();
      }
      return queries.invalidateQueries({ queryKey: ['stream-outputs'] });
    },
    onError: (error) => {
      const fault = markFieldFault(form, error, outputFieldNames);
      if (fault) openGroupOf([fault.field]);
    },
  });
  const key = save.data?.signing_key;
  const { kind } = form.values;
  return (
    <Window
      size="lg"
      onClose={onClose}
      title={output ? t('streamOutputs.changeTitle', { name: output.name }) : t('streamOutputs.newTitle')}
      closeOnClickOutside={!key && !save.isPending}
    >
      {save.data && key ? (
        <Stack>
          <Text>{t('streamOutputs.createdText')}</Text>
          <SecretOnce
            label={t('streamOutputs.created', { name: save.data.name })}
            secret={key}
            onDone={onClose}
          />
        </Stack>
      ) : (
        <SaveForm
          form={{
            onSubmit: (onValid) => form.onSubmit(onValid, (faults) => openGroupOf(Object.keys(faults))),
          }}
          save={{ ...save, error: findFieldFault(save.error, outputFieldNames) ? null : save.error }}
          submit={t(output ? 'streamOutputs.save' : 'streamOutputs.submit')}
          isFullWidth
        >
          {output === null && (
            <Select<OutputKind>
              label={t('streamOutputs.field.kind')}
              allowDeselect={false}
              data={outputKinds.map((value) => ({ value, label: t(`streamOutputs.kind.${value}`) }))}
              {...form.getInputProps('kind')}
            />
          )}
          <TextInput
            label={t('streamOutputs.field.name')}
            placeholder={t('streamOutputs.field.nameExample')}
            data-autofocus
            {...textLimits(limits, 'name')}
            {...form.getInputProps('name')}
          />
          <ReceiverFields form={form} kind={kind} kept={output?.secrets ?? []} />
          <Accordion variant="contained" multiple value={groups} onChange={setGroups}>
            <Accordion.Item value="events">
              <Accordion.Control>{t('streamOutputs.group.events')}</Accordion.Control>
              <Accordion.Panel>
                <EventFilterFields form={form} />
              </Accordion.Panel>
            </Accordion.Item>
            <Accordion.Item value="more">
              <Accordion.Control>{t('streamOutputs.group.more')}</Accordion.Control>
              <Accordion.Panel>
                <MoreFields form={form} kind={kind} kept={output?.secrets ?? []} />
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        </SaveForm>
      )}
    </Window>
  );
}
