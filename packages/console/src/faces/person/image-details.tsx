import type { FaceImage } from '@lynceus/client';
import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { ServiceImage } from '../../kit/image/service-image.js';
import { Moment } from '../../kit/moment.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { BoxedImage } from '../boxed-image.js';
import { useRenewFaces } from '../queries.js';
import { useReceipt } from '../use-receipt.js';

/** One image with its face, its quality, and its actions. */
export function ImageDetails({ image, onClose }: { image: FaceImage; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const { bytes, number } = useFormat();
  const { content, quality } = image;
  const facts = [
    ['size', t('person.quality.px', { value: number(quality.size_px) })],
    ['sharpness', number(quality.sharpness)],
    ['brightness', t('person.quality.of255', { value: number(quality.brightness) })],
    ['side', t('person.quality.deg', { value: number(Math.abs(quality.yaw_deg)) })],
    ['up', t('person.quality.deg', { value: number(Math.abs(quality.pitch_deg)) })],
    ['score', number(image.score, 2)],
    ['image', `${content.width} × ${content.height}, ${bytes(content.bytes)}`],
  ] as const;
  return (
    <Window onClose={onClose} size="lg" title={t('person.image', { id: image.id })}>
      <Stack>
        <BoxedImage size={content} faces={[{ box: image.box, label: t('person.faceFound') }]}>
          <ServiceImage
            queryKey={['face-images', image.id, 'whole']}
            read={(signal) => client.faceImages.readContent(image.id, { width: 1280, signal })}
            alt={t('person.image', { id: image.id })}
            fit="contain"
          />
        </BoxedImage>
        <Text size="sm">
          {quality.problems.length === 0
            ? t('person.good')
            : quality.problems.map((problem) => t(`faces.problem.${problem}`)).join(' · ')}
        </Text>
        <Table variant="vertical">
          <Table.Tbody>
            {facts.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{t(`person.quality.${name}`)}</Table.Th>
                <Table.Td>{value}</Table.Td>
              </Table.Tr>
            ))}
            <Table.Tr>
              <Table.Th scope="row">{t('person.quality.added')}</Table.Th>
              <Table.Td>
                <Moment at={image.created_at} />
              </Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
        {mayChange && <ImageActions image={image} onClose={onClose} />}
      </Stack>
    </Window>
  );
}

function ImageActions({ image, onClose }: { image: FaceImage; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const confirm = useConfirm();
  const showReceipt = useReceipt();
  const renew = useRenewFaces();
  const reEmbed = useAction({
    mutationFn: () => client.faceImages.reEmbed(image.id),
    onSuccess: ({ outcome }) => {
      notifications.show({
        color: outcome === 'embedded' ? 'lynx' : 'red',
        message: t(`person.${outcome}`),
      });
      onClose();
      return renew();
    },
  });
  const remove = useAction({
    mutationFn: () => client.faceImages.remove(image.id),
    onSuccess: (receipt) => {
      onClose();
      showReceipt(t('person.deletedImages', { count: 1 }), receipt);
      return renew();
    },
  });
  const ask = () =>
    confirm({
      title: t('person.deleteImagesTitle', { count: 1 }),
      text: t('person.deleteImagesText'),
      yes: t('person.delete'),
      onYes: () => remove.mutate(),
    });
  return (
    <Group justify="space-between">
      <Button variant="default" loading={reEmbed.isPending} onClick={() => reEmbed.mutate()}>
        {t('person.reEmbed')}
      </Button>
      <Button variant="light" color="red" loading={remove.isPending} onClick={ask}>
        {t('person.delete')}
      </Button>
    </Group>
  );
}
