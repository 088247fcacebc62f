import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useShowError } from '../../kit/tell-error.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';

/** Makes a perception by its name; all else of it can be set later. */
export function NewPerception({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const renew = useRenewFaces();
  const showError = useShowError();
  const form = useForm({ initialValues: { name: '' } });
  const make = useMutation({
    mutationFn: ({ name }: typeof form.values) => client.perceptions.create({ name }),
    onSuccess: ({ model_id }) => {
      renew();
      navigate(`/faces/${model_id}`);
    },
    onError: showError,
  });
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('faces.makeTitle')}
      closeButtonProps={{ 'aria-label': t('kit.close') }}
    >
      <form onSubmit={form.onSubmit((values) => make.mutate(values))}>
        <Stack>
          <TextInput
            label={t('faces.name')}
            description={t('faces.nameHint')}
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Button type="submit" loading={make.isPending}>
            {t('faces.make')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
