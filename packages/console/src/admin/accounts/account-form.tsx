import type { AdminAccount } from '@lynceus/client';
import { Checkbox, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SaveForm } from '../../kit/save-form.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';

interface Values {
  readonly name: string;
  readonly plan: 'paid' | 'trial';
  readonly isUnlimited: boolean;
  readonly limit: number | '';
  readonly days: number | '';
}

/** Creates an account, or changes its plan, call limit and days. */
export function AccountForm({ account, onClose }: { account: AdminAccount | null; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const form = useForm<Values>({ initialValues: valuesOf(account) });
  const save = useMutation({
    mutationFn: (values: Values) => {
      const { plan, isUnlimited, limit, days } = values;
      const callLimit = isUnlimited ? null : limit === '' ? undefined : limit;
      const wanted = { plan, callLimit, resultDays: days === '' ? undefined : days };
      return account === null
        ? client.admin.createAccount({ name: values.name, ...wanted })
        : client.admin.changeAccount(account.id, wanted);
    },
    onSuccess: () => {
      onClose();
      queries.invalidateQueries({ queryKey: ['account'] });
      return queries.invalidateQueries({ queryKey: ['admin', 'accounts'] });
    },
  });
  return (
    <Window
      onClose={onClose}
      title={
        account === null
          ? t('admin.accounts.createTitle')
          : t('admin.accounts.changeTitle', { name: account.name })
      }
    >
      <SaveForm
        form={form}
        save={save}
        submit={t(account === null ? 'admin.accounts.submit' : 'kit.save')}
        isFullWidth
      >
        {account === null && (
          <TextInput
            label={t('admin.accounts.name')}
            required
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
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
            {...form.getInputProps('plan')}
          />
        </div>
        <Checkbox
          label={t('admin.accounts.isUnlimited')}
          {...form.getInputProps('isUnlimited', { type: 'checkbox' })}
        />
        {!form.values.isUnlimited && (
          <NumberInput
            label={t('admin.accounts.limit')}
            description={t('admin.accounts.limitHint')}
            min={0}
            allowDecimal={false}
            thousandSeparator
            {...form.getInputProps('limit')}
          />
        )}
        <NumberInput
          label={t('admin.accounts.resultDays')}
          min={0}
          allowDecimal={false}
          {...form.getInputProps('days')}
        />
      </SaveForm>
    </Window>
  );
}

function valuesOf(account: AdminAccount | null): Values {
  if (account === null) return { name: '', plan: 'trial', isUnlimited: false, limit: '', days: '' };
  const { name, plan, calls, result_days } = account;
  return { name, plan, isUnlimited: calls.limit === null, limit: calls.limit ?? '', days: result_days };
}
