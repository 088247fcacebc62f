import { MultiSelect, Stack, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { useStreams } from '../stream-events/use-streams.js';
import { eventKinds, type OutputValues } from './output-values.js';

/** Which events are sent. */
export function EventFilterFields({ form }: { form: UseFormReturnType<OutputValues> }) {
  const { t } = useTranslation();
  const { streams, nameOf } = useStreams();
  const { streams: chosen, kinds } = form.values;
  // A stream that was deleted stays until it is removed here.
  const ids = new Set([...streams.map(({ id }) => String(id)), ...chosen]);
  return (
    <Stack>
      <MultiSelect
        label={t('streamOutputs.field.streams')}
        placeholder={chosen.length === 0 ? t('streamOutputs.field.allStreams') : ''}
        clearable
        searchable
        data={[...ids].map((id) => ({ value: id, label: nameOf(Number(id)) }))}
        {...form.getInputProps('streams')}
      />
      <MultiSelect
        label={t('streamOutputs.field.kinds')}
        placeholder={kinds.length === 0 ? t('streamOutputs.field.allKinds') : ''}
        clearable
        data={eventKinds.map((value) => ({ value, label: t(`streamOutputs.kinds.${value}`) }))}
        {...form.getInputProps('kinds')}
      />
      <TagsInput
        label={t('streamOutputs.field.labels')}
        description={t('streamOutputs.field.labelsHint')}
        clearable
        maxTags={100}
        {...form.getInputProps('labels')}
      />
    </Stack>
  );
}
