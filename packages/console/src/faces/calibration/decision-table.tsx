import type { ProposedCalibration } from '@lynceus/client';
import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { WideTable } from '../../kit/wide-table.js';

/** What the decision point would do to the pairs looked at, on either curve. */
export function DecisionTable({ proposal }: { proposal: ProposedCalibration }) {
  const { t, i18n } = useTranslation();
  const { decision, pairs, people, images } = proposal;
  const number = (value: number, digits = 3) =>
    value.toLocaleString(i18n.language, { maximumFractionDigits: digits });
  const percent = (share: number) =>
    share.toLocaleString(i18n.language, { style: 'percent', maximumFractionDigits: 2 });
  const rows = [
    ['now', decision.now],
    ['proposed', decision.proposed],
  ] as const;
  return (
    <div>
      <Text size="sm" c="dimmed" mb="xs">
        {t('calibration.basis', {
          people: t('faces.people', { count: people }),
          images: t('faces.images', { count: images }),
          genuine: number(pairs.genuine, 0),
          impostor: number(pairs.impostor, 0),
        })}
      </Text>
      <WideTable label={t('calibration.curve')}>
        <Table miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('calibration.curve')}</Table.Th>
              <Table.Th ta="end">{t('calibration.decision')}</Table.Th>
              <Table.Th ta="end">{t('calibration.falseMatch')}</Table.Th>
              <Table.Th ta="end">{t('calibration.falseNonMatch')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(([name, point]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{t(`calibration.${name}`)}</Table.Th>
                <Table.Td ta="end">{number(point.cosine)}</Table.Td>
                <Table.Td ta="end">{percent(point.false_match_rate)}</Table.Td>
                <Table.Td ta="end">{percent(point.false_non_match_rate)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </div>
  );
}
