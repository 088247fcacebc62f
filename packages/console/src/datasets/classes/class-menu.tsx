import type { CountedDataset, CountedDatasetClass, DatasetClass } from '@lynceus/client';
import { Button, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiCallMerge } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionItem, ResourceMenu } from '../../kit/resource-menu.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { useRenewDataset } from '../queries.js';

/** The menu of a class. */
export function ClassMenu({ dataset, one }: { dataset: CountedDataset; one: CountedDatasetClass }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const renew = useRenewDataset(dataset.id);
  const [isMerging, merging] = useDisclosure(false);
  const onDone = () => {
    merging.close();
    renew();
  };
  return (
    <>
      <ResourceMenu
        label={t('datasets.classes.menu', { name: one.name })}
        look="row"
        rename={{
          item: t('datasets.classes.rename'),
          title: t('datasets.classes.rename'),
          label: t('datasets.classes.name'),
          name: one.name,
          save: (name) => client.datasetClasses.rename(dataset.id, one.id, { name }),
          onSaved: renew,
        }}
        remove={{
          item: t('datasets.classes.remove'),
          confirm: {
            title: t('datasets.classes.removeTitle', { name: one.name }),
            text: t('datasets.classes.removeText', { count: one.images, images: format.number(one.images) }),
            yes: t('datasets.classes.remove'),
          },
          run: async () => {
            await client.datasetClasses.remove(dataset.id, one.id, { force: true });
            return renew();
          },
        }}
      >
        <ActionItem icon={mdiCallMerge} onClick={merging.open} disabled={dataset.classes.length < 2}>
          {t('datasets.classes.merge')}
        </ActionItem>
      </ResourceMenu>
      {isMerging && <MergeClass dataset={dataset} one={one} onDone={onDone} onClose={merging.close} />}
    </>
  );
}

/** Merges two classes. */
function MergeClass({
  dataset,
  one,
  onDone,
  onClose,
}: {
  dataset: CountedDataset;
  one: DatasetClass;
  onDone: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const [into, setInto] = useState<string | null>(null);
  const merge = useAction({
    mutationFn: (id: number) => client.datasetClasses.merge(dataset.id, one.id, { into: id }),
    onSuccess: onDone,
  });
  return (
    <Window onClose={onClose} title={t('datasets.classes.mergeTitle', { name: one.name })}>
      <Stack>
        <Text size="sm">{t('datasets.classes.mergeText', { name: one.name })}</Text>
        <Select
          label={t('datasets.classes.into')}
          searchable
          limit={50}
          data={dataset.classes
            .filter(({ id }) => id !== one.id)
            .map(({ id, name }) => ({ value: String(id), label: name }))}
          value={into}
          onChange={setInto}
        />
        <Button
          color="red"
          disabled={into === null}
          loading={merge.isPending}
          onClick={() => merge.mutate(Number(into))}
        >
          {t('datasets.classes.mergeSubmit')}
        </Button>
      </Stack>
    </Window>
  );
}
