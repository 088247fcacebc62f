import limits from 'api-limits:PUT /api/perceptions/{id}/calibration';
import type { SimilarityCurve } from '@lynceus/client';
import { Button, Group, NumberInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { isInLimits, numberLimits } from '../../kit/field-limits.js';

/** A curve by its two numbers. */
export function CurveForm({
  curve,
  isBusy,
  onChange,
}: {
  curve: SimilarityCurve;
  isBusy: boolean;
  onChange: (curve: SimilarityCurve) => void;
}) {
  const { t } = useTranslation();
  const form = useForm<{ midpoint: number | ''; slope: number | '' }>({
    initialValues: { midpoint: curve.midpoint, slope: curve.slope },
    validate: {
      midpoint: (value) => (isInLimits(limits, 'midpoint', value) ? null : t('calibration.midpointWrong')),
      slope: (value) => (isInLimits(limits, 'slope', value) ? null : t('calibration.slopeWrong')),
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ midpoint, slope }) => {
        if (midpoint !== '' && slope !== '') onChange({ midpoint, slope });
      })}
    >
      <Group align="start" gap="sm">
        <NumberInput
          label={t('calibration.midpoint')}
          description={t('calibration.midpointHint')}
          {...numberLimits(limits, 'midpoint')}
          step={0.01}
          flex="1 1 200px"
          {...form.getInputProps('midpoint')}
        />
        <NumberInput
          label={t('calibration.slope')}
          description={t('calibration.slopeHint')}
          {...numberLimits(limits, 'slope')}
          flex="1 1 200px"
          {...form.getInputProps('slope')}
        />
      </Group>
      <Button type="submit" variant="default" mt="sm" loading={isBusy} disabled={!form.isDirty()}>
        {t('calibration.set')}
      </Button>
    </form>
  );
}
