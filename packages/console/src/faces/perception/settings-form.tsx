import type { EnrolmentProblem, Perception } from '@lynceus/client';
import { Button, Checkbox, Fieldset, Group, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useShowError } from '../../kit/error-text.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';

/** What can be wrong with an image of a face, as docs/faces.md lists it. */
const problems = [
  'too-small',
  'blurred',
  'turned-away',
  'too-dark',
  'too-bright',
  'several-faces',
  'same-image',
  'nearly-the-same',
  'looks-like-another',
] as const satisfies readonly EnrolmentProblem[];

export function SettingsForm({ perception, isReadOnly }: { perception: Perception; isReadOnly: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  const showError = useShowError();
  const form = useForm({
    initialValues: {
      name: perception.name,
      decisionSimilarity: perception.decision_similarity,
      wantsLiveness: perception.wants_liveness,
      namesRecognition: perception.names_recognition,
      refusedProblems: [...perception.refused_problems] as EnrolmentProblem[],
    },
  });
  const save = useMutation({
    mutationFn: (values: typeof form.values) => client.perceptions.change(perception.model_id, values),
    onSuccess: (_, values) => {
      form.setInitialValues(values);
      form.reset();
      notifications.show({ color: 'lynx', message: t('faces.settings.saved') });
      return renew();
    },
    onError: showError,
  });
  const onOff = { type: 'checkbox' } as const;
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Fieldset variant="unstyled" disabled={isReadOnly} aria-label={t('faces.tabs.settings')} p={0}>
        <Stack>
          <TextInput
            label={t('faces.name')}
            required
            maxLength={200}
            dir="auto"
            {...form.getInputProps('name')}
          />
          <NumberInput
            label={t('faces.settings.decision')}
            description={t('faces.settings.decisionHint')}
            min={0}
            max={1}
            step={0.05}
            decimalScale={4}
            required
            maw={320}
            {...form.getInputProps('decisionSimilarity')}
          />
          <Switch
            label={t('faces.settings.liveness')}
            description={t('faces.settings.livenessHint')}
            {...form.getInputProps('wantsLiveness', onOff)}
          />
          <Switch
            label={t('faces.settings.names')}
            description={t('faces.settings.namesHint')}
            {...form.getInputProps('namesRecognition', onOff)}
          />
          <Checkbox.Group
            label={t('faces.settings.refused')}
            description={t('faces.settings.refusedHint')}
            {...form.getInputProps('refusedProblems')}
          >
            <Group gap="sm" mt="xs">
              {problems.map((problem) => (
                <Checkbox key={problem} value={problem} label={t(`faces.problem.${problem}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                {t('faces.settings.save')}
              </Button>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}
