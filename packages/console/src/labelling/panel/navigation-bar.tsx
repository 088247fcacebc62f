import type { CountedDataset, DatasetImage } from '@lynceus/client';
import { ActionIcon, Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { mdiChevronLeft, mdiChevronRight, mdiSchoolOutline, mdiSkipForward } from '@mdi/js';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { BackLink } from '../../kit/page-head.js';
import { useFormat } from '../../kit/use-format.js';
import { useMayChange } from '../../service/current-session.js';
import type { ImageNavigation } from '../use-image-navigation.js';
import type { useQueue } from '../use-queue.js';

/** The current position, the progress, and navigation; when all images are labelled, a button to train a model. */
export function NavigationBar({
  dataset,
  image,
  queue,
  navigation,
  onTrain,
}: {
  dataset: CountedDataset;
  image: DatasetImage;
  queue: ReturnType<typeof useQueue>;
  navigation: ImageNavigation;
  onTrain: () => void;
}) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const format = useFormat();
  const { images, labelled } = dataset;
  const words = t('datasets.labelledOf', {
    labelled: format.number(labelled),
    images: format.number(images),
  });
  useEffect(() => {
    document.title = `${t('labelling.title', { name: dataset.name })} · Lynceus`;
  }, [t, dataset.name]);
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Stack gap={0} miw={0} flex="1 1 200px">
          <BackLink to={`/datasets/${dataset.id}`} name={dataset.name} />
          <Title order={1} size="h5" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{image.file_name}</bdi>
          </Title>
        </Stack>
        <Group gap="xs" wrap="nowrap">
          <ActionIcon
            variant="default"
            size={36}
            onClick={navigation.previous}
            disabled={navigation.previousId === null}
            aria-label={t('labelling.previous')}
            title={t('labelling.previous')}
          >
            <Icon path={mdiChevronLeft} />
          </ActionIcon>
          <Text size="sm" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
            {t('labelling.position', {
              number: format.number(queue.index + 1),
              images: format.number(Math.max(images, queue.images.length)),
            })}
          </Text>
          <ActionIcon
            variant="default"
            size={36}
            onClick={navigation.next}
            disabled={navigation.nextId === null}
            aria-label={t('labelling.next')}
            title={t('labelling.next')}
          >
            <Icon path={mdiChevronRight} />
          </ActionIcon>
          {mayChange && images > 0 && labelled === images ? (
            <Button leftSection={<Icon path={mdiSchoolOutline} size={16} />} onClick={onTrain}>
              {t('datasets.train')}
            </Button>
          ) : (
            <Button
              leftSection={<Icon path={mdiSkipForward} size={16} />}
              onClick={navigation.nextUnlabelled}
              loading={navigation.isBusy}
            >
              {t('labelling.nextUnlabelled')}
            </Button>
          )}
        </Group>
      </Group>
      <Group gap="sm" wrap="nowrap">
        <Progress.Root size="sm" flex={1}>
          <Progress.Section value={images === 0 ? 0 : (100 * labelled) / images} aria-label={words} />
        </Progress.Root>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {words}
        </Text>
      </Group>
    </Stack>
  );
}
