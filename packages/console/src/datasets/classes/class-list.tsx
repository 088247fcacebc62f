import limits from 'api-limits:POST /api/datasets/{id}/classes';
import type { CountedDataset, CountedDatasetClass } from '@lynceus/client';
import { Anchor, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { mdiPlus } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { textLimits } from '../../kit/field-limits.js';
import { Icon } from '../../kit/icon.js';
import { ListTable } from '../../kit/list-table.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewDataset } from '../queries.js';
import { ClassDot } from './class-dot.js';
import { ClassMenu } from './class-menu.js';

const fewImages = 5;

/** The classes of a dataset with their counts. */
export function ClassList({ dataset }: { dataset: CountedDataset }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayChange = useMayChange();
  const hasBoxes = dataset.task === 'object_detection';
  return (
    <Stack>
      {mayChange && <NewClass dataset={dataset} />}
      {dataset.classes.length === 0 ? (
        <Text c="dimmed">{t('datasets.classes.none')}</Text>
      ) : (
        <ListTable
          items={dataset.classes}
          keyOf={({ id }) => id}
          columns={[
            {
              name: t('datasets.classes.name'),
              cell: (one) => <ClassName dataset={dataset} one={one} />,
            },
            {
              name: t('datasets.classes.images'),
              width: 110,
              isAtEnd: true,
              cell: ({ images }) => format.number(images),
            },
            ...(hasBoxes
              ? [
                  {
                    name: t('datasets.classes.boxes'),
                    width: 100,
                    isAtEnd: true,
                    cell: ({ labels }: CountedDatasetClass) => format.number(labels),
                  },
                ]
              : []),
            {
              name: t('datasets.classes.heldOut'),
              width: 110,
              isAtEnd: true,
              cell: ({ held_out }) => format.number(held_out),
            },
            ...(mayChange
              ? [
                  {
                    name: t('datasets.classes.acts'),
                    width: 60,
                    isAtEnd: true,
                    isSpokenAlone: true,
                    cell: (one: CountedDatasetClass) => <ClassMenu dataset={dataset} one={one} />,
                  },
                ]
              : []),
          ]}
        />
      )}
    </Stack>
  );
}

function ClassName({ dataset, one }: { dataset: CountedDataset; one: CountedDatasetClass }) {
  const { t } = useTranslation();
  return (
    <Group gap="xs" wrap="nowrap">
      <ClassDot index={dataset.classes.indexOf(one)} />
      <Anchor
        component={Link}
        to={`/datasets/${dataset.id}?class=${one.id}`}
        size="sm"
        fw={500}
        style={{ overflowWrap: 'anywhere' }}
      >
        <bdi>{one.name}</bdi>
      </Anchor>
      {one.images < fewImages && (
        <Badge variant="default" style={{ flexShrink: 0 }}>
          {t('datasets.classes.few')}
        </Badge>
      )}
    </Group>
  );
}

function NewClass({ dataset }: { dataset: CountedDataset }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewDataset(dataset.id);
  const form = useForm({ initialValues: { name: '' } });
  const add = useAction({
    mutationFn: (name: string) => client.datasetClasses.create(dataset.id, { name }),
    onSuccess: () => {
      form.reset();
      renew();
    },
  });
  return (
    <form onSubmit={form.onSubmit(({ name }) => add.mutate(name))}>
      <Group align="end" gap="xs">
        <TextInput
          label={t('datasets.classes.new')}
          {...textLimits(limits, 'name')}
          withAsterisk={false}
          flex={1}
          maw={360}
          {...form.getInputProps('name')}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<Icon path={mdiPlus} size={16} />}
          loading={add.isPending}
        >
          {t('datasets.classes.add')}
        </Button>
      </Group>
    </form>
  );
}
