import limits from 'api-limits:MqttSettingsInput';
import { Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { textLimits } from '../kit/field-limits.js';
import type { OutputKind, OutputValues } from './output-values.js';
import { SecretField } from './secret-field.js';

/** Settings that few need. */
export function MoreFields({
  form,
  kind,
  kept,
}: {
  form: UseFormReturnType<OutputValues>;
  kind: OutputKind;
  kept: readonly string[];
}) {
  const { t } = useTranslation();
  return (
    <Stack>
      {kind === 'webhook' ? <WebhookFields form={form} kept={kept} /> : <MqttFields form={form} />}
      <Textarea
        label={t('streamOutputs.field.certificate')}
        description={t('streamOutputs.field.certificateHint')}
        placeholder="-----BEGIN CERTIFICATE-----"
        autosize
        minRows={2}
        maxRows={6}
        {...textLimits(limits, 'certificate')}
        {...form.getInputProps('certificate')}
      />
      <Switch
        label={t('streamOutputs.field.certificateUnchecked')}
        description={t('streamOutputs.field.certificateUncheckedHint')}
        {...form.getInputProps('certificateUnchecked', { type: 'checkbox' })}
      />
    </Stack>
  );
}

function WebhookFields({ form, kept }: { form: UseFormReturnType<OutputValues>; kept: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <>
      <SecretField
        form={form}
        name="query"
        hint={t('streamOutputs.field.queryHint')}
        isKept={kept.includes('query')}
      />
      <SecretField
        form={form}
        name="signingKey"
        hint={t('streamOutputs.field.signingKeyHint')}
        isKept={kept.includes('signing_key')}
      />
    </>
  );
}

function MqttFields({ form }: { form: UseFormReturnType<OutputValues> }) {
  const { t } = useTranslation();
  const { frigate, homeAssistant } = form.values;
  const prefix = (name: 'prefix' | 'frigatePrefix' | 'discoveryPrefix') => (
    <TextInput
      label={t(`streamOutputs.field.${name}`)}
      // The browser's own check stops at a field that is not shown without a word.
      withAsterisk
      {...textLimits(limits, name)}
      {...form.getInputProps(name)}
    />
  );
  const toggle = (name: 'retain' | 'snapshots') => (
    <Switch
      label={t(`streamOutputs.field.${name}`)}
      description={t(`streamOutputs.field.${name}Hint`)}
      {...form.getInputProps(name, { type: 'checkbox' })}
    />
  );
  return (
    <>
      {toggle('snapshots')}
      {toggle('retain')}
      {prefix('prefix')}
      {frigate && prefix('frigatePrefix')}
      {homeAssistant && prefix('discoveryPrefix')}
      <TextInput
        label={t('streamOutputs.field.clientId')}
        description={t('streamOutputs.field.clientIdHint')}
        {...textLimits(limits, 'clientId')}
        {...form.getInputProps('clientId')}
      />
    </>
  );
}
