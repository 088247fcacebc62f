import { Box, Button, Group, LoadingOverlay, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { mdiCamera, mdiFolderOpen, mdiImagePlus } from '@mdi/js';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.js';
import classes from './image-input.module.css';

/** An image that the user chose: a file, or an address from which the service fetches it. */
export type ChosenImage = { readonly file: File } | { readonly url: string };

/** The image in the form that the client takes. */
export const toSource = (image: ChosenImage): File | { readonly url: string } =>
  'file' in image ? image.file : image;

const Camera = lazy(() => import('./camera.js').then(({ Camera }) => ({ default: Camera })));

/** Browsers know no media type for some of these formats, so that their file name extensions are listed too. */
const chooserAccepts = 'image/*,.heic,.heif,.avif,.tif,.tiff';

/** Takes an image that is dropped, chosen, pasted, taken by the camera, or given by its address. */
export function ImageInput({
  onChoose,
  isBusy,
  isMany = false,
  hint,
}: {
  /** Called once for each image. */
  onChoose: (image: ChosenImage) => void;
  isBusy: boolean;
  isMany?: boolean;
  /** A hint shown instead of the supported formats; the field is lower then. */
  hint?: string;
}) {
  const { t } = useTranslation();
  const [hasCamera, camera] = useDisclosure(false);
  const take = (files: readonly File[]) => {
    for (const file of isMany ? files : files.slice(0, 1)) onChoose({ file });
  };
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    multiple: isMany,
    onDrop: take,
    disabled: isBusy,
    // Keyboards and screen readers use the button below.
    noKeyboard: true,
  });
  useWindowEvent('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
    if (!isBusy) take(files);
  });
  const count = isMany ? 2 : 1;
  return (
    <Stack gap="sm">
      <Box
        {...getRootProps({ tabIndex: -1, className: classes['area'] })}
        mod={{ dragged: isDragActive, busy: isBusy }}
        p={hint ? 'md' : 'xl'}
      >
        <LoadingOverlay visible={isBusy} overlayProps={{ radius: 'sm' }} />
        <input {...getInputProps({ accept: chooserAccepts, 'aria-label': t('image.choose', { count }) })} />
        <Stack align="center" gap={4} py={hint ? 4 : 'md'} style={{ pointerEvents: 'none' }}>
          <Icon path={mdiImagePlus} size={hint ? 28 : 40} />
          <Text fw={600} ta="center">
            {t('image.drop', { count })}
          </Text>
          <Text size="sm" c="dimmed" ta="center">
            {hint ?? t('image.dropHint')}
          </Text>
        </Stack>
      </Box>
      <Group align="start" gap="sm">
        <Button
          variant="default"
          disabled={isBusy}
          leftSection={<Icon path={mdiFolderOpen} size={18} />}
          onClick={open}
        >
          {t('image.choose', { count })}
        </Button>
        <Button
          variant="default"
          disabled={isBusy}
          leftSection={<Icon path={mdiCamera} size={18} />}
          onClick={camera.open}
        >
          {t('image.camera')}
        </Button>
        <ImageAddress isBusy={isBusy} onChoose={onChoose} />
      </Group>
      {hasCamera && (
        <Suspense>
          <Camera isMany={isMany} onClose={camera.close} onTake={(file) => take([file])} />
        </Suspense>
      )}
    </Stack>
  );
}

/** An image by its address. The service fetches it: the page itself sends no request to other hosts. */
function ImageAddress({
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
