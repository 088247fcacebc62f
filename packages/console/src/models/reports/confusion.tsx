import { List, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { WideTable } from '../../kit/wide-table.js';

/** Larger matrices are shown as a list of the most frequent confusions. */
const maxClassesAsTable = 15;
const confusionsShown = 20;

/** The confusion matrix. */
export function Confusion({
  labels,
  confusion,
}: {
  labels: readonly string[];
  confusion: readonly (readonly number[])[];
}) {
  const { t } = useTranslation();
  const most = Math.max(1, ...confusion.flat());
  if (labels.length > maxClassesAsTable) {
    return (
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {confusions(labels, confusion)
          .slice(0, confusionsShown)
          .map(({ shown, answered, count }) => (
            <List.Item key={`${shown} ${answered}`}>
              {t('models.takenFor', { count, shown, answered })}
            </List.Item>
          ))}
      </List>
    );
  }
  return (
    <WideTable label={t('models.confusion')}>
      <Table withColumnBorders withTableBorder w="auto">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('models.showsAnswered')}</Table.Th>
            {labels.map((label) => (
              <Table.Th key={label} maw={120} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{label}</bdi>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {confusion.map((row, shown) => (
            <Table.Tr key={labels[shown]}>
              <Table.Th maw={160} scope="row" style={{ overflowWrap: 'anywhere' }}>
                <bdi>{labels[shown]}</bdi>
              </Table.Th>
              {row.map((count, answered) => (
                <Table.Td
                  key={labels[answered]}
                  ta="center"
                  fw={shown === answered ? 700 : undefined}
                  style={{ background: shade(count / most, shown === answered) }}
                >
                  {count}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}

/** The colour of a cell: stronger for higher counts, with enough contrast for the number. */
function shade(share: number, isRight: boolean): string | undefined {
  if (share === 0) return undefined;
  return `color-mix(in srgb, ${isRight ? '#14a08c' : '#f97316'} ${Math.round(10 + 35 * share)}%, transparent)`;
}

/** Confused pairs of classes, the most frequent first. */
function confusions(labels: readonly string[], confusion: readonly (readonly number[])[]) {
  return confusion
    .flatMap((row, shown) =>
      row.map((count, answered) => ({
        shown: labels[shown] ?? String(shown),
        answered: labels[answered] ?? String(answered),
        count: shown === answered ? 0 : count,
      })),
    )
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
