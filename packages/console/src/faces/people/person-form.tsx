import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { FormError } from '../../kit/form-error.js';

/** Name and key id of a person. */
export function PersonForm({
  name,
  keyId,
  submit,
  error,
  isBusy,
  onSubmit,
}: {
  name: string;
  keyId: string | null;
  submit: string;
  error: Error | null;
  isBusy: boolean;
  onSubmit: (fields: { name: string; keyId: string | null }) => void;
}) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { name, keyId: keyId ?? '' } });
  return (
    <form onSubmit={form.onSubmit((now) => onSubmit({ name: now.name, keyId: now.keyId.trim() || null }))}>
      <Stack>
        <FormError error={error} />
        <TextInput
          label={t('faces.personName')}
          required
          maxLength={200}
          dir="auto"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('faces.keyId')}
          description={t('faces.keyIdHint')}
          maxLength={200}
          {...form.getInputProps('keyId')}
        />
        <Button type="submit" loading={isBusy}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
