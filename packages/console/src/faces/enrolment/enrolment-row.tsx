import { Badge, Button, Group, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../kit/error-text.js';
import { GivenName } from '../../kit/given-name.js';
import { LocalImage } from '../../kit/image/local-image.js';
import type { Enrolment, EnrolmentStep } from './enrolment-list.js';
import styles from './enrolment-row.module.css';

/** Problems for which an image is refused unless it is to be added all the same; see docs/faces.md. */
const acceptable: readonly string[] = ['blurred', 'covered', 'landmarks-implausible'];

export function EnrolmentRow({
  enrolment,
  onRetry,
  onAccept,
}: {
  enrolment: Enrolment;
  onRetry: () => void;
  onAccept: () => void;
}) {
  const { t } = useTranslation();
  const { source, step } = enrolment;
  const name = 'url' in source ? source.url : source.name;
  return (
    <li className={styles['row']}>
      <div className={styles['image']}>
        <LocalImage source={source} maxSide={320} />
      </div>
      <div className={styles['words']}>
        <Group gap="xs" wrap="nowrap">
          <StepBadge step={step} />
          <GivenName name={name} size="sm" c="dimmed" />
        </Group>
        <Advice step={step} onRetry={onRetry} />
        {mayAccept(enrolment) && (
          <Button size="compact-xs" variant="default" onClick={onAccept}>
            {t('person.addAnyway')}
          </Button>
        )}
      </div>
    </li>
  );
}

function mayAccept({ step, acceptsProblems }: Enrolment): boolean {
  if (step.kind !== 'answered' || step.result.outcome !== 'refused' || acceptsProblems) return false;
  return step.result.findings.some(({ problem }) => acceptable.includes(problem));
}

function StepBadge({ step }: { step: EnrolmentStep }) {
  const { t } = useTranslation();
  if (step.kind === 'waiting') return <Badge color="gray.7">{t('person.step.waiting')}</Badge>;
  if (step.kind === 'adding') return <Loader size="xs" aria-label={t('person.step.adding')} />;
  if (step.kind === 'failed') return <Badge color="red.9">{t('person.step.failed')}</Badge>;
  const { outcome, findings } = step.result;
  if (outcome !== 'added') return <Badge color="red.9">{t(`person.step.${outcome}`)}</Badge>;
  return findings.length > 0 ? (
    <Badge color="yellow" autoContrast>
      {t('person.step.advised')}
    </Badge>
  ) : (
    <Badge color="lynx.8">{t('person.step.added')}</Badge>
  );
}

/** The advice of the service for a better image. */
function Advice({ step, onRetry }: { step: EnrolmentStep; onRetry: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (step.kind === 'failed') {
    return (
      <Group gap="xs">
        <Text size="sm">{errorText(step.error)}</Text>
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          {t('shell.retry')}
        </Button>
      </Group>
    );
  }
  if (step.kind !== 'answered') return null;
  const { outcome, findings } = step.result;
  return (
    <>
      {outcome === 'no-face' && <Text size="sm">{t('person.noFace')}</Text>}
      {findings.map(({ problem, advice }) => (
        <Text key={problem} size="sm">
          <Text span inherit fw={600}>
            {t(`faces.problem.${problem}`)}:
          </Text>{' '}
          {advice}
        </Text>
      ))}
    </>
  );
}
