import type { CustomModel } from '@lynceus/client';
import { ActionIcon, Menu, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { mdiDelete, mdiDotsVertical, mdiPencil } from '@mdi/js';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../kit/confirm.js';
import { showDone } from '../kit/error-text.js';
import { Icon } from '../kit/icon.js';
import { SaveForm } from '../kit/save-form.js';
import { useAction } from '../kit/use-action.js';
import { useFormat } from '../kit/use-format.js';
import { Window } from '../kit/window.js';
import { useClient } from '../service/client.js';
import { useRenewModels } from './queries.js';

/** The menu of a model. */
export function ModelMenu({ model }: { model: CustomModel }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const queries = useQueryClient();
  const renew = useRenewModels();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const [isDescribing, describing] = useDisclosure(false);
  const remove = useAction({
    mutationFn: () => client.models.remove(model.model_id),
    onSuccess: ({ versions, model_bytes }) => {
      navigate('/models');
      queries.removeQueries({ queryKey: ['models', model.model_id] });
      renew();
      showDone(t('models.removed', { count: versions, size: format.bytes(model_bytes) }));
    },
  });
  const ask = () =>
    confirm({
      title: t('models.removeTitle', { name: model.name }),
      text: t('models.removeText'),
      yes: t('models.remove'),
      onYes: () => remove.mutate(),
    });
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('models.menu')}>
            <Icon path={mdiDotsVertical} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon path={mdiPencil} size={16} />} onClick={describing.open}>
            {t('models.describe')}
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<Icon path={mdiDelete} size={16} />}
            onClick={ask}
            disabled={remove.isPending}
          >
            {t('models.removeThis')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDescribing && <DescribeModel model={model} onClose={describing.close} />}
    </>
  );
}

function DescribeModel({ model, onClose }: { model: CustomModel; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewModels();
  const form = useForm({ initialValues: { name: model.name, description: model.description } });
  const change = useMutation({
    mutationFn: (values: typeof form.values) => client.models.change(model.model_id, values),
    onSuccess: () => {
      renew();
      onClose();
    },
  });
  return (
    <Window onClose={onClose} title={t('models.describe')}>
      <SaveForm form={form} save={change} submit={t('kit.save')} isFullWidth>
        <TextInput
          label={t('models.name')}
          required
          maxLength={200}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea
          label={t('models.description')}
          autosize
          minRows={3}
          maxLength={2000}
          {...form.getInputProps('description')}
        />
      </SaveForm>
    </Window>
  );
}
