import limits from 'api-limits:StreamSettingsInput';
import type { Stream } from '@lynceus/client';
import { NumberInput, SimpleGrid, Switch, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { numberLimits } from '../../kit/field-limits.js';
import { LookFields, type LookForm, useLookFaults } from './look-fields.js';
import { lookOf } from './look-values.js';
import { SettingsForm } from './settings-form.js';

/** What is looked for in the frames of a stream. */
export function LookTab({ stream }: { stream: Stream }) {
  return (
    <SettingsForm stream={stream} valuesOf={lookOf} validate={useLookFaults()}>
      {(form) => (
        <>
          <LookFields form={form} />
          <SpeedFields form={form} />
        </>
      )}
    </SettingsForm>
  );
}

function SpeedFields({ form }: { form: LookForm }) {
  const { t } = useTranslation();
  return (
    <>
      <Title order={2} size="h5">
        {t('streamSettings.more')}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label={t('streamSettings.fps')}
          description={t('streamSettings.fpsHint')}
          {...{ ...numberLimits(limits, 'fps'), step: 0.5, decimalScale: 2 }}
          {...form.getInputProps('fps')}
        />
        <NumberInput
          label={t('streamSettings.maxWidth')}
          description={t('streamSettings.maxWidthHint')}
          {...{ ...numberLimits(limits, 'max_width'), step: 160 }}
          {...form.getInputProps('max_width')}
        />
      </SimpleGrid>
      <Switch
        label={t('streamSettings.keyFrames')}
        description={t('streamSettings.keyFramesHint')}
        {...form.getInputProps('key_frames_only', { type: 'checkbox' })}
      />
      <Switch
        label={t('streamSettings.motion')}
        description={t('streamSettings.motionHint')}
        {...form.getInputProps('motion_gate', { type: 'checkbox' })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput
          label={t('streamSettings.motionArea')}
          description={t('streamSettings.motionAreaHint')}
          {...{ min: 0, max: 100, step: 0.1, decimalScale: 3 }}
          disabled={!form.values.motion_gate}
          value={Math.round(form.values.motion_min_area * 100_000) / 1000}
          onChange={(value) => {
            if (typeof value === 'number') form.setFieldValue('motion_min_area', value / 100);
          }}
        />
        <NumberInput
          label={t('streamSettings.stationary')}
          description={t('streamSettings.stationaryHint')}
          {...numberLimits(limits, 'stationary_after_seconds')}
          {...form.getInputProps('stationary_after_seconds')}
        />
      </SimpleGrid>
    </>
  );
}
