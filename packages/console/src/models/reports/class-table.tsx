import { Progress, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';
import { WideTable } from '../../kit/wide-table.js';
import type { Report } from './report.js';

interface Row {
  readonly name: string;
  readonly measured: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly ap50: number | null;
}

function rowsOf(report: Report): readonly Row[] {
  if (report.kind === 'classification') {
    return report.figures.classes.map(({ label, measured, precision, recall }) => ({
      name: report.labels[label]?.title ?? String(label),
      measured,
      precision,
      recall,
      ap50: null,
    }));
  }
  return report.labels.map(({ label, boxes, figures }) => ({
    name: label,
    measured: boxes,
    precision: figures?.precision ?? null,
    recall: figures?.recall ?? null,
    ap50: figures?.ap50 ?? null,
  }));
}

/** The figures of each class. */
export function ClassTable({ report }: { report: Report }) {
  const { t } = useTranslation();
  const format = useFormat();
  const hasBoxes = report.kind === 'object_detection';
  const shares = hasBoxes ? (['ap50', 'precision', 'recall'] as const) : (['precision', 'recall'] as const);
  return (
    <WideTable label={t('models.byClass')}>
      <Table miw={460} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('datasets.classes.name')}</Table.Th>
            <Table.Th ta="end">{t(hasBoxes ? 'datasets.classes.boxes' : 'models.measuredImages')}</Table.Th>
            {shares.map((name) => (
              <Table.Th key={name}>{t(`models.figures.${name}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rowsOf(report).map((row) => (
            <Table.Tr key={row.name}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <bdi>{row.name}</bdi>
              </Table.Td>
              <Table.Td ta="end">{format.number(row.measured)}</Table.Td>
              {shares.map((name) => (
                <Table.Td key={name} miw={110}>
                  <Text size="sm">{format.percent(row[name])}</Text>
                  <Progress value={(row[name] ?? 0) * 100} size="xs" aria-hidden="true" />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}
