import type { DatasetFindingKind, DatasetFindings } from '@lynceus/client';
import { Anchor, Badge, Group, List, Stack, Text } from '@mantine/core';
import { mdiCheckCircle, mdiTrayArrowDown } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../kit/icon.js';
import { Moment } from '../kit/moment.js';
import { useFileLink } from '../kit/use-file-link.js';
import { useFormat } from '../kit/use-format.js';
import { importFindingsAddress } from '../service/addresses.js';

/** The result of an import, as in docs/datasets.md; those of earlier versions have no `labels`, `kinds` and `findings_file`. */
export interface ImportReport extends Omit<DatasetFindings, 'kinds'> {
  readonly format: string;
  readonly added: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly labels?: {
    readonly taken: number;
    readonly changed: number;
    readonly refused: number;
    readonly present: number;
  };
  readonly kinds?: readonly DatasetFindingKind[];
  readonly findings_file?: { readonly rows: number } | null;
}

const colours = { refused: 'red', changed: 'yellow', notice: 'gray' } as const;

/** What an import took, changed and refused: each kind with examples, and all of it as a file. */
export function ImportReportView({
  report,
  datasetId,
  endedAt,
  close,
}: {
  report: ImportReport;
  datasetId: number;
  endedAt: string | null;
  close: React.ReactNode;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const onFile = useFileLink();
  const { labels, kinds = [], findings_file: file } = report;
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap" align="start">
        <Group gap="xs" wrap="nowrap" align="start">
          <span style={{ flexShrink: 0 }}>
            <Icon path={mdiCheckCircle} />
          </span>
          <div>
            <Text size="sm">
              {t('datasets.imported', {
                added: format.number(report.added),
                duplicates: format.number(report.duplicates),
                refused: format.number(report.refused),
                format: report.format,
              })}{' '}
              {endedAt && (
                <Text span c="dimmed">
                  <Moment at={endedAt} />
                </Text>
              )}
            </Text>
            {labels && (
              <Text size="sm">
                {t('datasets.importedLabels', {
                  taken: format.number(labels.taken),
                  changed: format.number(labels.changed),
                  refused: format.number(labels.refused),
                  present: format.number(labels.present),
                })}
              </Text>
            )}
          </div>
        </Group>
        {close}
      </Group>
      {kinds.length > 0 && <Kinds kinds={kinds} labelling={`/datasets/${datasetId}/label`} />}
      {file && file.rows > 0 && (
        <Anchor
          size="sm"
          href={importFindingsAddress(datasetId)}
          download={`import-${datasetId}.csv`}
          onClick={onFile}
        >
          <Group gap={4} component="span">
            <Icon path={mdiTrayArrowDown} size={16} />
            {t('datasets.allFindings', { count: file.rows, rows: format.number(file.rows) })}
          </Group>
        </Anchor>
      )}
    </Stack>
  );
}

function Kinds({ kinds, labelling }: { kinds: readonly DatasetFindingKind[]; labelling: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Stack component="section" gap="sm" aria-label={t('datasets.findings')}>
      {kinds.map(({ problem, effect, findings, labels, examples }) => (
        <div key={problem}>
          <Group gap="xs">
            <Badge variant="light" color={colours[effect]}>
              {t(`datasets.effect.${effect}`)}
            </Badge>
            <Text size="sm" fw={500}>
              {t(`datasets.problem.${problem}`)}
            </Text>
            <Text size="sm" c="dimmed">
              {labels > 0
                ? t('datasets.labelCount', { count: labels, labels: format.number(labels) })
                : format.number(findings)}
            </Text>
          </Group>
          <List size="sm" spacing={2} style={{ overflowWrap: 'anywhere' }}>
            {examples.map(({ file, image_id, message }) => (
              <List.Item key={`${file} ${message}`}>
                {file !== null && image_id !== null ? (
                  <Anchor component={Link} to={`${labelling}?image=${image_id}`} size="sm">
                    <bdi>{file}</bdi>
                  </Anchor>
                ) : (
                  <bdi>{file}</bdi>
                )}
                {file !== null && ': '}
                {message}
              </List.Item>
            ))}
            {findings > examples.length && (
              <List.Item>{t('datasets.moreFindings', { count: findings - examples.length })}</List.Item>
            )}
          </List>
        </div>
      ))}
    </Stack>
  );
}
