import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';

/** A picture by its address, which the service fetches: this page asks no other host. */
export function PictureAddress({
  isBusy,
  onChoose,
}: {
  isBusy: boolean;
  onChoose: (picture: { readonly url: string }) => void;
}) {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: { url: '' },
    validate: { url: (url) => (URL.canParse(url) && /^https?:/.test(url) ? null : t('picture.badAddress')) },
  });
  return (
    <form noValidate onSubmit={form.onSubmit(({ url }) => onChoose({ url }))} style={{ flex: '1 1 16rem' }}>
      <Group align="start" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          type="url"
          aria-label={t('picture.address')}
          placeholder={t('picture.address')}
          {...form.getInputProps('url')}
        />
        <Button type="submit" variant="default" disabled={isBusy}>
          {t('picture.fetch')}
        </Button>
      </Group>
    </form>
  );
}
