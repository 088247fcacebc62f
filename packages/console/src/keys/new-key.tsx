import { Button, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useShowError } from '../kit/error-text.js';
import { SecretOnce } from '../kit/secret-once.js';
import { useClient } from '../service/client.js';
import { useRememberKey } from './remembered-key.js';

/** Creates a key and shows it, once. */
export function NewKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const showError = useShowError();
  const rememberKey = useRememberKey();
  const form = useForm<{ name: string; limit: number | ''; expires: string }>({
    initialValues: { name: '', limit: '', expires: '' },
    validate: { limit: (limit) => (limit === 0 ? t('keys.limitTooLow') : null) },
  });
  const make = useMutation({
    mutationFn: ({ name, limit, expires }: typeof form.values) =>
      client.keys.create({
        name,
        callLimit: limit === '' ? null : limit,
        // To the end of the day in the user's time zone.
        expiresAt: expires === '' ? null : new Date(`${expires}T23:59:59.999`),
      }),
    onSuccess: ({ key }) => {
      rememberKey(key);
      return queries.invalidateQueries({ queryKey: ['keys'] });
    },
    onError: showError,
  });
  const close = () => {
    onClose();
    form.reset();
    make.reset();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('keys.createTitle')}
      // A key that was not copied yet is not lost by a click beside the window.
      closeOnClickOutside={!make.data}
    >
      {make.data ? (
        <Stack>
          <SecretOnce label={t('keys.made', { name: make.data.name })} secret={make.data.key} />
          <Button onClick={close}>{t('keys.done')}</Button>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit((values) => make.mutate(values))}>
          <Stack>
            <TextInput
              label={t('keys.name')}
              description={t('keys.nameHint')}
              required
              maxLength={100}
              data-autofocus
              {...form.getInputProps('name')}
            />
            <NumberInput
              label={t('keys.limit')}
              description={t('keys.limitHint')}
              placeholder={t('keys.noLimit')}
              min={0}
              allowDecimal={false}
              thousandSeparator
              {...form.getInputProps('limit')}
            />
            <TextInput
              type="date"
              label={t('keys.expires')}
              description={t('keys.expiresHint')}
              {...form.getInputProps('expires')}
            />
            <Button type="submit" loading={make.isPending}>
              {t('keys.submit')}
            </Button>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
