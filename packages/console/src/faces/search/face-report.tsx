import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiAccountPlus, mdiAccountQuestion, mdiCheckDecagram, mdiEyeCheck } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { useFormat } from '../../kit/use-format.js';
import { useMayChange } from '../../service/current-session.js';
import { CandidateRow } from './candidate-row.js';
import { EnrolFace } from './enrol-face.js';
import type { SearchedFace } from './face-image.js';
import styles from './face-report.module.css';

const looks = {
  match: { color: 'lynx.8', icon: mdiCheckDecagram },
  unsure: { color: '#9a3412', icon: mdiEyeCheck },
  unknown: { color: 'gray.7', icon: mdiAccountQuestion },
} as const;

/** Candidates shown at first. */
const few = 3;

/** The candidates for a face, with the verdict and the quality. */
export function FaceReport({
  number,
  face,
  matches,
  source,
  decision,
  isChosen,
  onChanged,
}: SearchedFace & {
  /** The number shown at the box. */
  number: number;
  decision: number | null;
  isChosen: boolean;
  onChanged: () => void;
}) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const mayChange = useMayChange();
  const formatRate = useFormatRate();
  const [isEnrolling, enrolling] = useDisclosure(false);
  const [showsAll, all] = useDisclosure(false);
  const best = face.candidates[0];
  const shown = showsAll ? face.candidates : face.candidates.slice(0, few);
  return (
    <Paper
      withBorder
      p="md"
      id={`face-${number}`}
      component="section"
      aria-labelledby={`face-${number}-title`}
      className={styles['report'] ?? ''}
      data-chosen={isChosen}
    >
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h5" id={`face-${number}-title`}>
            {t('faceSearch.face', { number })}
          </Title>
          <Badge
            color={looks[face.verdict].color}
            leftSection={<Icon path={looks[face.verdict].icon} size={14} />}
          >
            {t(`faceSearch.verdict.${face.verdict}`)}
          </Badge>
        </Group>
        <Text size="sm">{t(`faceSearch.means.${face.verdict}`, { name: best?.name ?? '' })}</Text>
        {face.margin !== null && face.false_match_rate !== null && (
          <Text size="sm" c="dimmed">
            {t('faceSearch.margin', { margin: percent(face.margin) })}{' '}
            {t('faceSearch.falseMatch', { rate: formatRate(face.false_match_rate) })}
          </Text>
        )}
        {face.liveness !== null && (
          <Text size="sm">{t('faceSearch.liveness', { share: percent(face.liveness) })}</Text>
        )}
        {face.quality.problems.length > 0 && (
          <Text size="sm">
            {t('faceSearch.quality', {
              problems: face.quality.problems.map((problem) => t(`faces.problem.${problem}`)).join(', '),
            })}
          </Text>
        )}
        {face.candidates.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('faceSearch.noCandidates')}
          </Text>
        ) : (
          <Stack component="ul" gap="xs" p={0} m={0}>
            {shown.map((candidate) => (
              <CandidateRow
                key={candidate.person_id}
                candidate={candidate}
                searched={{ face, matches, source }}
                decision={decision}
                onChanged={onChanged}
              />
            ))}
          </Stack>
        )}
        {face.candidates.length > few && (
          <Button size="compact-sm" variant="subtle" aria-expanded={showsAll} onClick={all.toggle}>
            {showsAll ? t('faceSearch.fewer') : t('faceSearch.more', { count: face.candidates.length - few })}
          </Button>
        )}
        {mayChange && (
          <Group>
            <Button
              variant={face.verdict === 'unknown' ? 'filled' : 'default'}
              size="xs"
              leftSection={<Icon path={mdiAccountPlus} size={16} />}
              onClick={enrolling.open}
            >
              {t('faceSearch.enrol')}
            </Button>
          </Group>
        )}
      </Stack>
      {isEnrolling && (
        <EnrolFace searched={{ face, matches, source }} onClose={enrolling.close} onChanged={onChanged} />
      )}
    </Paper>
  );
}

/** N for "1 in N", by a rate between 0 and 1; null above 0.5. */
export function oneIn(rate: number): number | null {
  if (rate > 0.5) return null;
  const times = 1 / rate;
  // Two digits are enough for such a rate.
  const step = 10 ** Math.max(0, Math.floor(Math.log10(times)) - 1);
  return Math.round(times / step) * step;
}

/** A false-match rate in words: `1 in 2,500`. */
function useFormatRate(): (rate: number) => string {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (rate) => {
    if (rate <= 0) return t('faceSearch.never');
    const times = oneIn(rate);
    return times === null ? t('faceSearch.mostly') : t('faceSearch.oneIn', { times: number(times) });
  };
}
