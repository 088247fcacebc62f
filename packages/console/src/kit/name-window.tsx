import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SaveForm } from './save-form.js';
import { Window } from './window.js';

const maxNameLength = 200;

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
  const form = useForm({ initialValues: { name } });
  const saving = useMutation({
    mutationFn: (values: typeof form.values) => save(values.name),
    onSuccess: (saved) => {
      onClose();
      return onSaved(saved);
    },
  });
  return (
    <Window onClose={onClose} title={title}>
      <SaveForm form={form} save={saving} submit={submit ?? t('kit.save')} isFullWidth>
        <TextInput
          label={label}
          {...(hint ? { description: hint } : {})}
          dir="auto"
          required
          maxLength={maxNameLength}
          data-autofocus
          {...form.getInputProps('name')}
        />
      </SaveForm>
    </Window>
  );
}
