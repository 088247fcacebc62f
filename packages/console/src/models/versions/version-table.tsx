import type { CustomModel, ModelVersion } from '@lynceus/client';
import { Anchor, Badge, Button, Group, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Moment } from '../../kit/moment.js';
import { useFormat } from '../../kit/use-format.js';
import { useMayChange } from '../../service/current-session.js';
import { useSwitchVersion } from './use-switch-version.js';
import { VersionMenu } from './version-menu.js';

export function VersionTable({ model, versions }: { model: CustomModel; versions: readonly ModelVersion[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayChange = useMayChange();
  const switchTo = useSwitchVersion(model);
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('models.column.version')}</Table.Th>
            <Table.Th>{t('models.versions.origin')}</Table.Th>
            <Table.Th>{t('models.column.made')}</Table.Th>
            <Table.Th ta="end">{t('models.versions.size')}</Table.Th>
            <Table.Th aria-label={t('models.versions.acts')} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map((version) => (
            <Table.Tr key={version.number}>
              <Table.Td>
                <Group gap="xs">
                  <Anchor
                    component={Link}
                    to={`/models/${model.model_id}/versions/${version.number}`}
                    fw={500}
                    size="sm"
                  >
                    {t('models.version', { number: version.number })}
                  </Anchor>
                  {version.is_current && <Badge variant="light">{t('models.versions.current')}</Badge>}
                </Group>
              </Table.Td>
              <Table.Td>{t(`models.versions.from.${version.origin}`)}</Table.Td>
              <Table.Td>
                <Moment at={version.created_at} />
              </Table.Td>
              <Table.Td ta="end">{format.bytes(version.model_bytes)}</Table.Td>
              <Table.Td>
                <Group gap="xs" justify="end" wrap="nowrap">
                  {mayChange && !version.is_current && (
                    <Button
                      size="compact-sm"
                      variant="light"
                      loading={switchTo.isPending && switchTo.variables === version.number}
                      onClick={() => switchTo.mutate(version.number)}
                    >
                      {t('models.versions.switch')}
                    </Button>
                  )}
                  <VersionMenu model={model} version={version} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
