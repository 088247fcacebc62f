import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';

/** A picture by its address, which the service fetches: this page asks no other host. */
export function PictureAddress({ isBusy, onAddress }: { isBusy: boolean; onAddress: (url: string) => void }) {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: { url: '' },
    validate: { url: (url) => (/^https?:\/\/\S+$/i.test(url.trim()) ? null : t('pictures.addressWrong')) },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ url }) => {
        onAddress(url.trim());
        form.reset();
      })}
    >
      <Group align="start" gap="xs" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          type="url"
          aria-label={t('pictures.addressLabel')}
          placeholder="https://example.com/picture.jpg"
          autoFocus
          required
          {...form.getInputProps('url')}
        />
        <Button type="submit" loading={isBusy}>
          {t('pictures.addressUse')}
        </Button>
      </Group>
    </form>
  );
}
