import limits from 'api-limits:StreamSourceInput';
import { PasswordInput, SimpleGrid, Text, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { textLimits } from '../../kit/field-limits.js';
import type { PasswordFate } from './source-values.js';

/** The user name and the password of an address. The service never shows the password. */
export function CredentialFields({
  username,
  password,
  fate,
  group,
}: {
  username: GetInputPropsReturnType;
  password: GetInputPropsReturnType;
  /** Of the password that is stored. */
  fate: PasswordFate;
  /** Whose they are, where a form has two of them: a hint, and longer names of the fields. */
  group?: { readonly username: string; readonly password: string; readonly hint: string };
}) {
  const { t } = useTranslation();
  return (
    <>
      <div>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={group?.username ?? t('streamSource.username')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            {...textLimits(limits, 'username')}
            {...username}
          />
          <PasswordInput
            label={group?.password ?? t('streamSource.password')}
            autoComplete="new-password"
            {...textLimits(limits, 'password')}
            {...(fate === 'kept' ? { placeholder: t('streamSource.kept') } : {})}
            {...password}
          />
        </SimpleGrid>
        {group && (
          <Text size="xs" c="dimmed" mt={4}>
            {group.hint}
          </Text>
        )}
      </div>
      {fate === 'lost' && (
        <Text size="sm" role="status">
          {t('streamSource.passwordLost')}
        </Text>
      )}
    </>
  );
}
