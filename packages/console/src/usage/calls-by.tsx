import { Card, Progress, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A table of sums, the largest first, each with its share drawn. */
export function CallsBy({
  title,
  total,
  rows,
}: {
  title: string;
  total: number;
  rows: readonly { readonly id: string | number; readonly name: string; readonly calls: number }[];
}) {
  const { t, i18n } = useTranslation();
  return (
    <Card withBorder component="section" aria-label={title} h="100%">
      <Text fw={600} mb="xs">
        {title}
      </Text>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('usage.none')}</Text>
      ) : (
        <Table verticalSpacing={6}>
          <Table.Tbody>
            {rows.map(({ id, name, calls }) => (
              <Table.Tr key={id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
                <Table.Td w={90}>
                  <Progress value={(calls / Math.max(1, total)) * 100} aria-hidden />
                </Table.Td>
                <Table.Td ta="end" w={90}>
                  {calls.toLocaleString(i18n.language)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}
