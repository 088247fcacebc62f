import { Checkbox, Group, NumberInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { NamingFields } from './naming-fields.js';
import { parts, type SettingsValues } from './video-values.js';

/** What is looked for in a video. */
export function SettingsFields<Values extends SettingsValues>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation();
  return (
    <>
      <Checkbox.Group
        label={t('videos.adding.parts')}
        description={t('videos.adding.partsHint')}
        {...form.getInputProps('parts')}
      >
        <Group mt="xs">
          {parts.map((part) => (
            <Checkbox key={part} value={part} label={t(`tryIt.parts.${part}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <NumberInput
        label={t('videos.adding.fps')}
        description={t('videos.adding.fpsHint')}
        step={0.5}
        decimalScale={2}
        {...form.getInputProps('fps')}
      />
      <NamingFields form={form} />
    </>
  );
}
