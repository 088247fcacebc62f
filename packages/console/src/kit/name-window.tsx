import limits from 'api-limits:PATCH /api/datasets/{id}';
import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { FormWindow, useSchemaForm } from './schema-form.js';

/** Asks for a name, saves it, and closes. A failure leaves the window open. */
export function NameWindow<Saved>({
  title,
  label,
  hint,
  submit,
  name = '',
  save,
  onSaved,
  onClose,
}: {
  title: string;
  label: string;
  hint?: string;
  /** The text of the button; by default "Save". */
  submit?: string;
  /** The current name. */
  name?: string;
  save: (name: string) => Promise<Saved>;
  onSaved: (saved: Saved) => unknown;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const form = useSchemaForm({
    // Names of all things have the same.
    limits,
    initialValues: { name },
    save: (values) => save(values.name),
    onSaved: (saved) => {
      onClose();
      return onSaved(saved);
    },
  });
  return (
    <FormWindow title={title} form={form} submit={submit ?? t('kit.save')} onClose={onClose}>
      <TextInput
        label={label}
        {...(hint ? { description: hint } : {})}
        dir="auto"
        data-autofocus
        {...form.text('name')}
      />
    </FormWindow>
  );
}
