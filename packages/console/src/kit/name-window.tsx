import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Window } from './window.js';

const maxNameLength = 200;

/** Asks for a name. */
export function NameWindow({
  title,
  label,
  hint,
  submit,
  name,
  isBusy,
  onSubmit,
  onClose,
}: {
  title: string;
  label: string;
  hint?: string;
  submit: string;
  /** As it is now. */
  name: string;
  isBusy: boolean;
  onSubmit: (name: string) => void;
  onClose: () => void;
}) {
  const form = useForm({ initialValues: { name } });
  return (
    <Window onClose={onClose} title={title}>
      <form onSubmit={form.onSubmit((values) => onSubmit(values.name))}>
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
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
        </Stack>
      </form>
    </Window>
  );
}
