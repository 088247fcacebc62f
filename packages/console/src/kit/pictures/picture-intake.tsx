import '@mantine/dropzone/styles.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { mdiCamera, mdiImagePlus, mdiLink } from '@mdi/js';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icon.js';
import { Camera } from './camera.js';
import { PictureAddress } from './picture-address.js';

/** Browsers know no media type of some that the service reads, so the ends of their names stand here too. */
const chooserAccepts = 'image/*,.heic,.heif,.avif,.tif,.tiff,.dng,.cr2,.cr3,.nef,.arw,.orf,.rw2,.raf';

/** Pictures from a person: dropped, chosen, pasted, of the camera, or by address. */
export function PictureIntake({
  text,
  isMany = false,
  isBusy = false,
  onFiles,
  onAddress,
}: {
  /** What becomes of them. */
  text: string;
  /** Whether more than one at once makes sense. */
  isMany?: boolean;
  isBusy?: boolean;
  onFiles: (files: File[]) => void;
  onAddress: (url: string) => void;
}) {
  const { t } = useTranslation();
  const choose = useRef<() => void>(null);
  const [hasCamera, camera] = useDisclosure(false);
  const [hasAddress, address] = useDisclosure(false);
  const take = (files: File[]) => {
    if (files.length > 0) onFiles(isMany ? files : files.slice(0, 1));
  };
  useWindowEvent('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || isBusy) return;
    event.preventDefault();
    take(files);
  });
  return (
    <Stack gap="xs">
      <Dropzone
        onDrop={take}
        openRef={choose}
        multiple={isMany}
        loading={isBusy}
        // The button beneath is there for the keyboard.
        activateOnKeyboard={false}
        tabIndex={-1}
        inputProps={{ accept: chooserAccepts, 'aria-label': t('pictures.choose', { count: isMany ? 2 : 1 }) }}
        p="md"
      >
        <Group justify="center" gap="sm" wrap="nowrap" mih={64}>
          <Icon path={mdiImagePlus} size={36} />
          <div>
            <Text fw={500}>{t(isMany ? 'pictures.dropMany' : 'pictures.dropOne')}</Text>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </div>
        </Group>
      </Dropzone>
      <Group gap="xs">
        <Button
          variant="default"
          disabled={isBusy}
          leftSection={<Icon path={mdiImagePlus} size={16} />}
          onClick={() => choose.current?.()}
        >
          {t('pictures.choose', { count: isMany ? 2 : 1 })}
        </Button>
        <Button
          variant="default"
          disabled={isBusy}
          leftSection={<Icon path={mdiCamera} size={16} />}
          onClick={camera.open}
        >
          {t('pictures.camera')}
        </Button>
        <Button
          variant="default"
          disabled={isBusy}
          leftSection={<Icon path={mdiLink} size={16} />}
          aria-expanded={hasAddress}
          onClick={address.toggle}
        >
          {t('pictures.address')}
        </Button>
      </Group>
      {hasAddress && <PictureAddress isBusy={isBusy} onAddress={onAddress} />}
      <Camera isOpen={hasCamera} isMany={isMany} onClose={camera.close} onTake={(file) => take([file])} />
    </Stack>
  );
}
