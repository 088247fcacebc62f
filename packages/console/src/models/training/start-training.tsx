import modelLimits from 'api-limits:POST /api/models';
import limits from 'api-limits:POST /api/models/{id}/runs';
import type { CustomModel, Dataset } from '@lynceus/client';
import {
  Accordion,
  Alert,
  Button,
  List,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { mdiLightbulbOnOutline } from '@mdi/js';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useShowError } from '../../kit/error-text.js';
import { numberLimits, textLimits } from '../../kit/field-limits.js';
import { Icon } from '../../kit/icon.js';
import { Window } from '../../kit/window.js';
import { useClient } from '../../service/client.js';
import { useOwnModels } from '../known-models.js';
import { useRenewModels } from '../queries.js';

const shown = 5;

const offered = 100;
const newModel = 'new';

/** Trains a model on a dataset. The one of the two that is not given is chosen here. */
export function StartTraining({
  dataset,
  model,
  onClose,
}: {
  dataset?: Dataset;
  model?: CustomModel;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewModels();
  const navigate = useNavigate();
  const showError = useShowError();
  const task = (dataset ?? model)?.task;
  const models = useOwnModels().data?.filter((one) => one.task === task) ?? [];
  const datasets = useQuery({
    queryKey: ['datasets', 'to-train-on', task],
    queryFn: async ({ signal }) =>
      (await client.datasets.page({ limit: offered, signal })).data.filter((one) => one.task === task),
    enabled: dataset === undefined,
  });
  const form = useForm({
    initialValues: {
      dataset: String(dataset?.id ?? model?.dataset_id ?? ''),
      model: model ? String(model.model_id) : newModel,
      name: dataset?.name ?? '',
      noneOfThese: false,
      secondLook: true,
      activate: true,
      seed: 1,
    },
  });
  const { values } = form;
  const datasetId = Number(values.dataset);
  const chosenDataset = dataset ?? datasets.data?.find(({ id }) => id === datasetId);
  const start = useMutation({
    mutationFn: async () => {
      const modelId =
        values.model === newModel && task
          ? (await client.models.create({ name: values.name, task })).model_id
          : Number(values.model);
      // If starting the run fails, another attempt must not create another model.
      form.setFieldValue('model', String(modelId));
      await client.modelRuns.start(modelId, {
        datasetId,
        noneOfThese: task === 'classification' && values.noneOfThese ? true : undefined,
        secondLook: task === 'object_detection' && !values.secondLook ? false : undefined,
        seed: values.seed,
        activate: values.activate,
      });
      return modelId;
    },
    onSuccess: (modelId) => {
      renew();
      onClose();
      navigate(`/models/${modelId}`);
    },
    onError: (error) => {
      renew();
      showError(error);
    },
  });
  const canHaveNone = chosenDataset?.task === 'classification' && !chosenDataset.multi_label;
  return (
    <Window size="lg" onClose={onClose} title={t('models.training.title')}>
      <form onSubmit={form.onSubmit(() => start.mutate())}>
        <Stack>
          {dataset === undefined && (
            <Select
              label={t('models.training.dataset')}
              placeholder={t('models.training.chooseDataset')}
              description={datasets.data?.length === 0 ? t('models.training.noDataset') : undefined}
              searchable
              required
              allowDeselect={false}
              data={datasets.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
              {...form.getInputProps('dataset')}
            />
          )}
          {model === undefined && (
            <Select
              label={t('models.training.model')}
              searchable
              required
              allowDeselect={false}
              data={[
                { value: newModel, label: t('models.training.newModel') },
                ...models.map(({ model_id, name }) => ({
                  value: String(model_id),
                  label: t('models.training.anotherVersion', { name }),
                })),
              ]}
              {...form.getInputProps('model')}
            />
          )}
          {model === undefined && values.model === newModel && (
            <TextInput
              label={t('models.training.name')}
              data-autofocus
              {...textLimits(modelLimits, 'name')}
              {...form.getInputProps('name')}
            />
          )}
          {canHaveNone && (
            <Switch
              label={t('models.training.noneOfThese')}
              description={t('models.training.noneOfTheseHint')}
              {...form.getInputProps('noneOfThese', { type: 'checkbox' })}
            />
          )}
          {task === 'object_detection' && (
            <Switch
              label={t('models.training.secondLook')}
              description={t('models.training.secondLookHint')}
              {...form.getInputProps('secondLook', { type: 'checkbox' })}
            />
          )}
          <Switch
            label={t('models.training.activate')}
            description={t('models.training.activateHint')}
            {...form.getInputProps('activate', { type: 'checkbox' })}
          />
          {datasetId > 0 && <TrainingAdvice datasetId={datasetId} />}
          <Accordion variant="contained">
            <Accordion.Item value="more">
              <Accordion.Control>{t('models.training.more')}</Accordion.Control>
              <Accordion.Panel>
                <NumberInput
                  label={t('models.training.seed')}
                  description={t('models.training.seedHint')}
                  {...numberLimits(limits, 'options.seed')}
                  {...form.getInputProps('seed')}
                />
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
          <Button type="submit" loading={start.isPending} disabled={!(datasetId > 0)}>
            {t('models.training.submit')}
          </Button>
        </Stack>
      </form>
    </Window>
  );
}

/** Problems of the dataset for training; nothing while they load. */
function TrainingAdvice({ datasetId }: { datasetId: number }) {
  const { t } = useTranslation();
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['dataset-check', datasetId],
    queryFn: ({ signal }) => client.datasets.check(datasetId, { signal }),
  });
  const findings = data?.findings.filter(({ problem }) => problem !== 'no-labels') ?? [];
  if (!data || findings.length === 0) return null;
  return (
    <Alert icon={<Icon path={mdiLightbulbOnOutline} />} title={t('models.training.advice')}>
      <List size="sm" spacing={2} style={{ overflowWrap: 'anywhere' }}>
        {findings.slice(0, shown).map((finding) => (
          <List.Item key={data.findings.indexOf(finding)}>
            {finding.file && `${finding.file}: `}
            {finding.message}
          </List.Item>
        ))}
      </List>
      {findings.length > shown && (
        <Text size="sm" c="dimmed">
          {t('datasets.moreFindings', { count: findings.length - shown })}
        </Text>
      )}
    </Alert>
  );
}
