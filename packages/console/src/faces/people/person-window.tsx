import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SaveForm } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';

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
  const form = useForm({ initialValues: { name, keyId: keyId ?? '' } });
  const saving = useMutation({
    mutationFn: (values: typeof form.values) =>
      save({ name: values.name, keyId: values.keyId.trim() || null }),
    onSuccess: (saved, values) => {
      onClose();
      return onSaved(saved, values.name);
    },
  });
  return (
    <Window onClose={onClose} title={title}>
      <SaveForm form={form} save={saving} submit={submit} isFullWidth>
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
      </SaveForm>
    </Window>
  );
}
