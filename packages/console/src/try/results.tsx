import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Finding } from '../kit/image/finding.js';
import { FindingsList, ScoreFilter } from '../kit/image/findings-list.js';
import { useFormat } from '../kit/use-format.js';

/** The findings from a minimum score. */
export function Results({
  findings,
  durationMs,
  minScore,
  onMinScore,
  ...highlight
}: {
  findings: readonly Finding[];
  durationMs: number;
  minScore: number;
  onMinScore: (minScore: number) => void;
  highlighted: string | null;
  onHighlight: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <ScoreFilter value={minScore} onChange={onMinScore} />
      <Group justify="space-between" role="status">
        <Text size="sm" c="dimmed">
          {t('tryIt.found', { count: findings.length })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('tryIt.took', { ms: format.number(Math.round(durationMs)) })}
        </Text>
      </Group>
      <FindingsList findings={findings} {...highlight} />
    </>
  );
}
