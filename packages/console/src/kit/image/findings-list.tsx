import { Badge, Group, Progress, Slider, Stack, Text, UnstyledButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../use-format.js';
import type { Finding, FindingKind } from './finding.js';
import { findingColours } from './finding-shape.js';
import styles from './findings-list.module.css';

const kinds: readonly FindingKind[] = ['object', 'face', 'text', 'class'];

/** All findings by kind. The highlighted finding is highlighted in the image too. */
export function FindingsList({
  findings,
  highlighted,
  onHighlight,
}: {
  findings: readonly Finding[];
  highlighted: string | null;
  onHighlight: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  if (findings.length === 0) return <Text c="dimmed">{t('image.nothing')}</Text>;
  return kinds.map((kind) => {
    const found = findings.filter((finding) => finding.kind === kind);
    if (found.length === 0) return null;
    return (
      <Stack key={kind} gap={2} component="section" aria-label={t(`image.kinds.${kind}`)}>
        <Group gap="xs" mb={2}>
          <Badge color={findingColours[kind]} autoContrast={false}>
            {t(`image.kinds.${kind}`)}
          </Badge>
          <Text size="sm" c="dimmed">
            {found.length}
          </Text>
        </Group>
        {found.map((finding) => (
          <UnstyledButton
            key={finding.id}
            className={styles['row']}
            data-highlighted={finding.id === highlighted}
            onPointerEnter={() => onHighlight(finding.id)}
            onPointerLeave={() => onHighlight(null)}
            onFocus={() => onHighlight(finding.id)}
            onBlur={() => onHighlight(null)}
          >
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <Text size="sm" className={styles['label']} fw={500}>
                {finding.label}
                {finding.details.length > 0 && (
                  <Text span size="xs" c="dimmed">
                    {' '}
                    {finding.details.slice(0, 3).join(', ')}
                  </Text>
                )}
              </Text>
              {finding.score !== null && <Score score={finding.score} />}
            </Group>
          </UnstyledButton>
        ))}
      </Stack>
    );
  });
}

function Score({ score }: { score: number }) {
  const { percent } = useFormat();
  return (
    <Group gap={6} wrap="nowrap">
      <Progress value={score * 100} w={48} size="sm" aria-hidden />
      <Text size="xs" w={40} ta="end" style={{ whiteSpace: 'nowrap' }}>
        {percent(score, 0)}
      </Text>
    </Group>
  );
}

export function ScoreFilter({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return (
    <Stack gap={2}>
      <Text size="sm" fw={500}>
        {t('image.filter', { percent: percent(value, 0) })}
      </Text>
      <Slider
        min={0}
        max={0.95}
        step={0.05}
        value={value}
        onChange={onChange}
        label={null}
        thumbLabel={t('image.filterLabel')}
      />
    </Stack>
  );
}
