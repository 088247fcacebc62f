import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../kit/use-format.js';

/** The result of a training job, as the service writes it. */
export interface RunResult {
  readonly version: number;
  readonly activated: boolean;
  readonly figures:
    | ({ readonly measured_on: 'held-out' | 'cross-validation'; readonly images: number } & (
        | { readonly accuracy: number; readonly balanced_accuracy: number }
        | {
            readonly ap50: number;
            readonly ap: number;
            readonly precision: number;
            readonly recall: number;
            readonly f1: number;
          }
      ))
    | null;
}

/** The figures of a training run, in one line. */
export function RunFigures({ result: { figures } }: { result: RunResult }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!figures) return null;
  if (figures.images === 0) return <Text size="sm">{t('models.notMeasured')}</Text>;
  const shown =
    'accuracy' in figures
      ? ([
          ['accuracy', figures.accuracy],
          ['balanced', figures.balanced_accuracy],
        ] as const)
      : ([
          ['ap50', figures.ap50],
          ['precision', figures.precision],
          ['recall', figures.recall],
        ] as const);
  return (
    <Group gap="md">
      {shown.map(([name, value]) => (
        <Text key={name} size="sm">
          {t(`models.figures.${name}`)} <b>{format.percent(value)}</b>
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {t(`models.measured.${figures.measured_on}`, {
          count: figures.images,
          images: format.number(figures.images),
        })}
      </Text>
    </Group>
  );
}
