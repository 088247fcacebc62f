import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useShowError } from './error-text.js';
import { Window } from './window.js';

const maxNameLength = 200;

/** Asks for a name, saves it, and closes. A failure is shown and leaves the window open. */
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
  /** The name so far. */
  name?: string;
  save: (name: string) => Promise<Saved>;
  onSaved: (saved: Saved) => unknown;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const onError = useShowError();
  const form = useForm({ initialValues: { name } });
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (saved) => {
      onClose();
      return onSaved(saved);
    },
    onError,
  });
  return (
    <Window onClose={onClose} title={title}>
      <form onSubmit={form.onSubmit((values) => saving.mutate(values.name))}>
        <Stack>
          <TextInput
            label={label}
            {...(hint ? { description: hint } : {})}
            dir="auto"
            required
            maxLength={maxNameLength}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Button type="submit" loading={saving.isPending}>
            {submit ?? t('kit.save')}
          </Button>
        </Stack>
      </form>
    </Window>
  );
}
