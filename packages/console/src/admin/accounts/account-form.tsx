import limits from 'api-limits:POST /api/admin/accounts';
import type { AdminAccount } from '@lynceus/client';
import { Checkbox, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FormWindow, useSchemaForm } from '../../kit/schema-form.js';
import { useClient } from '../../service/client.js';

interface Values {
  readonly name: string;
  readonly plan: 'paid' | 'trial';
  readonly isUnlimited: boolean;
  readonly callLimit: number | '';
  readonly resultDays: number | '';
}

/** Creates an account, or changes its plan, call limit and days. */
export function AccountForm({ account, onClose }: { account: AdminAccount | null; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const form = useSchemaForm<Values, unknown>({
    limits,
    initialValues: valuesOf(account),
    save: ({ name, plan, isUnlimited, callLimit, resultDays }) => {
      const wanted = {
        plan,
        callLimit: isUnlimited ? null : callLimit === '' ? undefined : callLimit,
        resultDays: resultDays === '' ? undefined : resultDays,
      };
      return account === null
        ? client.admin.createAccount({ name, ...wanted })
        : client.admin.changeAccount(account.id, wanted);
    },
    onSaved: () => {
      onClose();
      queries.invalidateQueries({ queryKey: ['account'] });
      return queries.invalidateQueries({ queryKey: ['admin', 'accounts'] });
    },
  });
  return (
    <FormWindow
      onClose={onClose}
      title={
        account === null
          ? t('admin.accounts.createTitle')
          : t('admin.accounts.changeTitle', { name: account.name })
      }
      form={form}
      submit={t(account === null ? 'admin.accounts.submit' : 'kit.save')}
    >
      {account === null && (
        <TextInput label={t('admin.accounts.name')} data-autofocus {...form.text('name')} />
      )}
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t('admin.accounts.plan')}
        </Text>
        <SegmentedControl
          aria-label={t('admin.accounts.plan')}
          data={(['trial', 'paid'] as const).map((value) => ({
            value,
            label: t(`account.plan.${value}`),
          }))}
          {...form.choice('plan')}
        />
      </div>
      <Checkbox label={t('admin.accounts.isUnlimited')} {...form.toggle('isUnlimited')} />
      {!form.values.isUnlimited && (
        <NumberInput
          label={t('admin.accounts.limit')}
          description={t('admin.accounts.limitHint')}
          thousandSeparator
          {...form.number('callLimit')}
        />
      )}
      <NumberInput label={t('admin.accounts.resultDays')} {...form.number('resultDays')} />
    </FormWindow>
  );
}

function valuesOf(account: AdminAccount | null): Values {
  if (account === null) return { name: '', plan: 'trial', isUnlimited: false, callLimit: '', resultDays: '' };
  const { name, plan, calls, result_days } = account;
  return {
    name,
    plan,
    isUnlimited: calls.limit === null,
    callLimit: calls.limit ?? '',
    resultDays: result_days,
  };
}
