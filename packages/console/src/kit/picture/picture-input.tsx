import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useForm } from '@mantine/form';
import { useWindowEvent } from '@mantine/hooks';
import { mdiCamera, mdiImagePlus } from '@mdi/js';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.js';

/** A picture that somebody chose: a file, or an address from which the service fetches it. */
export type ChosenPicture = { readonly file: File } | { readonly url: string };

const Camera = lazy(() => import('./camera.js').then(({ Camera }) => ({ default: Camera })));

/** Takes a picture by drop, choice of a file, paste, camera or address. */
export function PictureInput({
  onChoose,
  isBusy,
}: {
  onChoose: (picture: ChosenPicture) => void;
  isBusy: boolean;
}) {
  const { t } = useTranslation();
  const [isCamera, setIsCamera] = useState(false);
  const form = useForm({
    initialValues: { url: '' },
    validate: { url: (url) => (URL.canParse(url) && /^https?:/.test(url) ? null : t('picture.badAddress')) },
  });
  useWindowEvent('paste', (event) => {
    const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (file) onChoose({ file });
  });
  return (
    <Stack gap="sm">
      <Dropzone
        multiple={false}
        onDrop={([file]) => file && onChoose({ file })}
        loading={isBusy}
        aria-label={t('picture.choose')}
        p="xl"
      >
        <Stack align="center" gap={6} py="md" style={{ pointerEvents: 'none' }}>
          <Icon path={mdiImagePlus} size={40} />
          <Text fw={600}>{t('picture.drop')}</Text>
          <Text size="sm" c="dimmed" ta="center">
            {t('picture.dropHint')}
          </Text>
        </Stack>
      </Dropzone>
      <Group align="start" gap="sm">
        <form onSubmit={form.onSubmit(({ url }) => onChoose({ url }))} style={{ flex: '1 1 16rem' }}>
          <Group align="start" gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              type="url"
              aria-label={t('picture.address')}
              placeholder={t('picture.address')}
              {...form.getInputProps('url')}
            />
            <Button type="submit" variant="default">
              {t('picture.fetch')}
            </Button>
          </Group>
        </form>
        <Button
          variant="default"
          leftSection={<Icon path={mdiCamera} size={18} />}
          onClick={() => setIsCamera(true)}
        >
          {t('picture.camera')}
        </Button>
      </Group>
      {isCamera && (
        <Suspense>
          <Camera
            onClose={() => setIsCamera(false)}
            onTake={(file) => {
              setIsCamera(false);
              onChoose({ file });
            }}
          />
        </Suspense>
      )}
    </Stack>
  );
}
