import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** An image by its address, which the service fetches: this page asks no other host. */
export function ImageAddress({
  isBusy,
  onChoose,
}: {
  isBusy: boolean;
  onChoose: (image: { readonly url: string }) => void;
}) {
  const { t } = useTranslation();
  const [url, setUrl] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isGood = URL.canParse(url) && /^https?:/.test(url);
    setIsRefused(!isGood);
    if (isGood) onChoose({ url });
  };
  return (
    <form noValidate onSubmit={submit} style={{ flex: '1 1 16rem' }}>
      <Group align="start" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          type="url"
          aria-label={t('image.address')}
          placeholder={t('image.address')}
          value={url}
          error={isRefused && t('image.badAddress')}
          onChange={(event) => {
            setUrl(event.currentTarget.value);
            setIsRefused(false);
          }}
        />
        <Button type="submit" variant="default" disabled={isBusy}>
          {t('image.fetch')}
        </Button>
      </Group>
    </form>
  );
}
