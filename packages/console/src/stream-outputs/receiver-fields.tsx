import mqttLimits from 'api-limits:MqttSettingsInput';
import webhookLimits from 'api-limits:WebhookSettingsInput';
import { Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { textLimits } from '../kit/field-limits.js';
import type { OutputKind, OutputValues } from './output-values.js';
import { SecretField } from './secret-field.js';

/** Where events are sent, and what opens it. */
export function ReceiverFields({
  form,
  kind,
  kept,
}: {
  form: UseFormReturnType<OutputValues>;
  kind: OutputKind;
  /** Names of secrets that the service keeps. */
  kept: readonly string[];
}) {
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        label={t('streamOutputs.field.url')}
        description={t(`streamOutputs.field.urlHint.${kind}`)}
        placeholder={kind === 'webhook' ? 'https://…' : 'mqtt://…'}
        required
        autoComplete="off"
        {...textLimits(kind === 'webhook' ? webhookLimits : mqttLimits, 'url')}
        {...form.getInputProps('url')}
      />
      {kind === 'webhook' ? (
        <SecretField
          form={form}
          name="token"
          hint={t('streamOutputs.field.tokenHint')}
          isKept={kept.includes('token')}
        />
      ) : (
        <>
          <TextInput
            label={t('streamOutputs.field.username')}
            autoComplete="off"
            {...textLimits(mqttLimits, 'username')}
            {...form.getInputProps('username')}
          />
          <SecretField form={form} name="password" isKept={kept.includes('password')} />
          <Stack gap="sm">
            <Switch
              label={t('streamOutputs.field.homeAssistant')}
              description={t('streamOutputs.field.homeAssistantHint')}
              {...form.getInputProps('homeAssistant', { type: 'checkbox' })}
            />
            <Switch
              label={t('streamOutputs.field.frigate')}
              description={t('streamOutputs.field.frigateHint')}
              {...form.getInputProps('frigate', { type: 'checkbox' })}
            />
          </Stack>
        </>
      )}
    </>
  );
}
