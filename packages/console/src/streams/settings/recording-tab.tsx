import limits from 'api-limits:StreamSettingsInput';
import type { Stream, StreamSettings } from '@lynceus/client';
import { NumberInput, SimpleGrid, Switch, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { findLimits, isInLimits, numberLimits } from '../../kit/field-limits.js';
import { SettingsForm } from './settings-form.js';

type NumberField = 'clip_seconds_before' | 'clip_seconds_after' | 'clip_max_seconds' | 'keep_days';

type Values = Pick<StreamSettings, 'snapshots' | 'clips' | NumberField>;

function valuesOf(settings: Stream['settings']): Values {
  const { snapshots, clips, keep_days } = settings;
  const { clip_seconds_before, clip_seconds_after, clip_max_seconds } = settings;
  return { snapshots, clips, clip_seconds_before, clip_seconds_after, clip_max_seconds, keep_days };
}

/** What is kept of a stream, and for how long. */
export function RecordingTab({ stream }: { stream: Stream }) {
  const { t } = useTranslation();
  const faultOf = (name: NumberField, value: unknown) => {
    const { min, max } = findLimits(limits, name);
    return isInLimits(limits, name, value) ? null : t('streamSettings.wholeNumber', { min, max });
  };
  const validate = (values: Values) => ({
    clip_seconds_before: faultOf('clip_seconds_before', values.clip_seconds_before),
    clip_seconds_after: faultOf('clip_seconds_after', values.clip_seconds_after),
    clip_max_seconds: faultOf('clip_max_seconds', values.clip_max_seconds),
    keep_days: values.keep_days === null ? null : faultOf('keep_days', values.keep_days),
  });
  return (
    <SettingsForm stream={stream} valuesOf={valuesOf} validate={validate}>
      {(form) => <Fields form={form} />}
    </SettingsForm>
  );
}

function Fields({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation();
  const { clips } = form.values;
  const numberOf = (name: NumberField) => ({ ...numberLimits(limits, name), ...form.getInputProps(name) });
  const days = numberOf('keep_days');
  return (
    <>
      <Switch
        label={t('streamSettings.recording.snapshots')}
        description={t('streamSettings.recording.snapshotsHint')}
        {...form.getInputProps('snapshots', { type: 'checkbox' })}
      />
      <Switch
        label={t('streamSettings.recording.clips')}
        description={t('streamSettings.recording.clipsHint')}
        {...form.getInputProps('clips', { type: 'checkbox' })}
      />
      {clips && (
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <NumberInput
            label={t('streamSettings.recording.before')}
            description={t('streamSettings.recording.beforeHint')}
            {...numberOf('clip_seconds_before')}
          />
          <NumberInput
            label={t('streamSettings.recording.after')}
            description={t('streamSettings.recording.afterHint')}
            {...numberOf('clip_seconds_after')}
          />
          <NumberInput
            label={t('streamSettings.recording.longest')}
            description={t('streamSettings.recording.longestHint')}
            {...numberOf('clip_max_seconds')}
          />
        </SimpleGrid>
      )}
      <Title order={2} size="h5">
        {t('streamSettings.recording.kept')}
      </Title>
      <NumberInput
        maw={340}
        label={t('streamSettings.recording.days')}
        description={t('streamSettings.recording.daysHint')}
        {...days}
        value={days.value ?? ''}
        onChange={(next) => days.onChange(next === '' ? null : next)}
      />
    </>
  );
}
