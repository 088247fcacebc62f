import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';

const maxNameLength = 200;

/** Asks for a name. */
export function NameWindow({
  title,
  label,
  submit,
  name,
  isBusy,
  onSubmit,
  onClose,
}: {
  title: string;
  label: string;
  submit: string;
  /** As it is now. */
  name: string;
  isBusy: boolean;
  onSubmit: (name: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { name } });
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('kit.close') }}>
      <form onSubmit={form.onSubmit((values) => onSubmit(values.name))}>
        <Stack>
          <TextInput
            label={label}
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
    </Modal>
  );
}
