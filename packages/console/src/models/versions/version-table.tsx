import type { CustomModel, ModelVersion } from '@lynceus/client';
import { Anchor, Badge, Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ListTable } from '../../kit/list-table.js';
import { Moment } from '../../kit/moment.js';
import { useFormat } from '../../kit/use-format.js';
import { useMayChange } from '../../service/current-session.js';
import { useActivateVersion } from '../queries.js';
import { VersionMenu } from './version-menu.js';

export function VersionTable({ model, versions }: { model: CustomModel; versions: readonly ModelVersion[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayChange = useMayChange();
  const activate = useActivateVersion(model);
  return (
    <ListTable
      items={versions}
      keyOf={({ number }) => number}
      columns={[
        {
          name: t('models.column.version'),
          cell: ({ number, is_current }) => (
            <Group gap="xs">
              <Anchor component={Link} to={`/models/${model.model_id}/versions/${number}`} fw={500} size="sm">
                {t('models.version', { number })}
              </Anchor>
              {is_current && <Badge variant="light">{t('models.versions.active')}</Badge>}
            </Group>
          ),
        },
        {
          name: t('models.versions.origin'),
          width: 130,
          cell: ({ origin }) => t(`models.versions.from.${origin}`),
        },
        {
          name: t('models.column.created'),
          width: 180,
          cell: ({ created_at }) => <Moment at={created_at} />,
        },
        {
          name: t('models.versions.size'),
          width: 100,
          isAtEnd: true,
          cell: ({ model_bytes }) => format.bytes(model_bytes),
        },
        {
          name: t('models.versions.acts'),
          width: 170,
          isAtEnd: true,
          isSpokenAlone: true,
          cell: (version) => (
            <Group gap="xs" justify="end" wrap="nowrap">
              {mayChange && !version.is_current && (
                <Button
                  size="compact-sm"
                  variant="light"
                  loading={activate.isPending && activate.variables === version.number}
                  onClick={() => activate.mutate(version.number)}
                >
                  {t('models.versions.activate')}
                </Button>
              )}
              <VersionMenu model={model} version={version} />
            </Group>
          ),
        },
      ]}
    />
  );
}
