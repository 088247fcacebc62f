import limits from 'api-limits:PATCH /api/models/{id}';
import type { CustomModel } from '@lynceus/client';
import { Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiPencil } from '@mdi/js';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { showDone } from '../kit/error-text.js';
import { ActionItem, ResourceMenu } from '../kit/resource-menu.js';
import { FormWindow, useSchemaForm } from '../kit/schema-form.js';
import { useFormat } from '../kit/use-format.js';
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
  const [isDescribing, describing] = useDisclosure(false);
  return (
    <>
      <ResourceMenu
        label={t('models.menu')}
        look="dots"
        remove={{
          item: t('models.removeThis'),
          confirm: {
            title: t('models.removeTitle', { name: model.name }),
            text: t('models.removeText'),
            yes: t('models.remove'),
          },
          run: async () => {
            const { versions, model_bytes } = await client.models.remove(model.model_id);
            navigate('/models');
            queries.removeQueries({ queryKey: ['models', model.model_id] });
            renew();
            showDone(t('models.removed', { count: versions, size: format.bytes(model_bytes) }));
          },
        }}
      >
        <ActionItem icon={mdiPencil} onClick={describing.open}>
          {t('models.describe')}
        </ActionItem>
      </ResourceMenu>
      {isDescribing && <DescribeModel model={model} onClose={describing.close} />}
    </>
  );
}

function DescribeModel({ model, onClose }: { model: CustomModel; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewModels();
  const form = useSchemaForm({
    limits,
    initialValues: { name: model.name, description: model.description },
    save: (values) => client.models.change(model.model_id, values),
    onSaved: () => {
      renew();
      onClose();
    },
  });
  return (
    <FormWindow title={t('models.describe')} form={form} submit={t('kit.save')} onClose={onClose}>
      <TextInput label={t('models.name')} required data-autofocus {...form.text('name')} />
      <Textarea label={t('models.description')} autosize minRows={3} {...form.text('description')} />
    </FormWindow>
  );
}
