import type { SimilarityCurve } from '@lynceus/client';
import { Button, Group, NumberInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';

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
      midpoint: (value) =>
        value !== '' && value >= -1 && value <= 1 ? null : t('calibration.midpointWrong'),
      slope: (value) => (value !== '' && value > 0 ? null : t('calibration.slopeWrong')),
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
          min={-1}
          max={1}
          step={0.01}
          flex="1 1 200px"
          {...form.getInputProps('midpoint')}
        />
        <NumberInput
          label={t('calibration.slope')}
          description={t('calibration.slopeHint')}
          min={0}
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
