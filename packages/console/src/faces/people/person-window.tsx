import limits from 'api-limits:POST /api/perceptions/{id}/people';
import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormWindow, useSchemaForm } from '../../kit/schema-form.js';

/** Asks for the name and the key id of a person, saves them, and closes. A failure leaves the window open. */
export function PersonWindow<Saved>({
  title,
  name = '',
  keyId = null,
  submit,
  save,
  onSaved,
  onClose,
}: {
  title: string;
  name?: string;
  keyId?: string | null;
  submit: string;
  save: (fields: { name: string; keyId: string | null }) => Promise<Saved>;
  onSaved: (saved: Saved, name: string) => unknown;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const form = useSchemaForm({
    limits,
    initialValues: { name, keyId: keyId ?? '' },
    save: (values) => save({ name: values.name, keyId: values.keyId.trim() || null }),
    onSaved: (saved, values) => {
      onClose();
      return onSaved(saved, values.name);
    },
  });
  return (
    <FormWindow title={title} form={form} submit={submit} onClose={onClose}>
      <TextInput label={t('faces.personName')} dir="auto" data-autofocus {...form.text('name')} />
      <TextInput label={t('faces.keyId')} description={t('faces.keyIdHint')} {...form.text('keyId')} />
    </FormWindow>
  );
}
