import type { CountedDataset } from '@lynceus/client';
import { Button, Slider, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowError } from '../kit/error-text.js';
import { useFormat } from '../kit/use-format.js';
import { Window } from '../kit/window.js';
import { useClient } from '../service/client.js';
import { useRenewDataset } from './queries.js';

/** Holds out a share of the images to measure with. */
export function SplitWindow({ dataset, onClose }: { dataset: CountedDataset; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const renew = useRenewDataset(dataset.id);
  const showError = useShowError();
  const [share, setShare] = useState(0.2);
  const split = useMutation({
    mutationFn: () => client.datasets.split(dataset.id, { heldOut: share }),
    onSuccess: ({ assigned, train, held_out }) => {
      renew();
      onClose();
      notifications.show({
        message: t('datasets.splitDone', {
          assigned: format.number(assigned),
          train: format.number(train),
          heldOut: format.number(held_out),
        }),
      });
    },
    onError: showError,
  });
  return (
    <Window onClose={onClose} title={t('datasets.splitTitle')}>
      <Stack>
        <Text size="sm">{t('datasets.splitText')}</Text>
        <Text size="sm" fw={500}>
          {t('datasets.splitShare', { share: format.percent(share, 0) })}
        </Text>
        <Slider
          min={0.05}
          max={0.5}
          step={0.05}
          label={(value) => format.percent(value, 0)}
          thumbLabel={t('datasets.splitShare', { share: format.percent(share, 0) })}
          value={share}
          onChange={setShare}
        />
        <Button onClick={() => split.mutate()} loading={split.isPending}>
          {t('datasets.splitSubmit')}
        </Button>
      </Stack>
    </Window>
  );
}
