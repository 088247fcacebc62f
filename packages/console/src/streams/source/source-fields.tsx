import type { StreamSource } from '@lynceus/client';
import { Select, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NetworkFields } from './network-fields.js';
import type { SourceForm } from './source-form.js';
import { missingFields, type SourceValues, sourceKinds } from './source-values.js';
import { VideoSelect } from './video-select.js';

/** The faults of the form, by field. */
export function useSourceFaults(): (values: SourceValues) => Readonly<Record<string, string>> {
  const { t } = useTranslation();
  return (values) =>
    Object.fromEntries(missingFields(values).map((name) => [name, t('streamSource.missing')]));
}

/** Where the frames come from: the fields of the chosen kind. */
export function SourceFields({
  form,
  stored,
}: {
  form: SourceForm;
  /** The source that there is, with or without a password. */
  stored?: StreamSource | undefined;
}) {
  const { t } = useTranslation();
  const { kind } = form.values;
  return (
    <Stack>
      <Select
        label={t('streamSource.kind')}
        allowDeselect={false}
        data={sourceKinds.map((value) => ({ value, label: t(`streamSource.kinds.${value}`) }))}
        {...form.getInputProps('kind')}
      />
      {kind === 'usb' ? (
        <TextInput
          label={t('streamSource.device')}
          description={t('streamSource.deviceHint')}
          required
          spellCheck={false}
          {...form.getInputProps('device')}
        />
      ) : kind === 'video' ? (
        <VideoSelect {...form.getInputProps('video')} />
      ) : (
        <NetworkFields form={form} kind={kind} stored={stored} />
      )}
    </Stack>
  );
}
