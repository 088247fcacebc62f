import limits from 'api-limits:StreamOutputSecrets';
import { PasswordInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { textLimits } from '../kit/field-limits.js';
import type { OutputValues } from './output-values.js';

/** A secret: the service never answers one that it keeps. */
export function SecretField({
  form,
  name,
  hint,
  isKept,
}: {
  form: UseFormReturnType<OutputValues>;
  name: 'token' | 'query' | 'signingKey' | 'password';
  hint?: string;
  isKept: boolean;
}) {
  const { t } = useTranslation();
  const description = isKept ? t('streamOutputs.field.keptHint') : hint;
  return (
    <PasswordInput
      label={t(`streamOutputs.field.${name}`)}
      autoComplete="new-password"
      {...textLimits(limits, name)}
      visibilityToggleButtonProps={{ 'aria-label': t('kit.showTyped') }}
      {...(description === undefined ? {} : { description })}
      {...form.getInputProps(name)}
    />
  );
}
