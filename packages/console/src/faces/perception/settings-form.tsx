import limits from 'api-limits:PATCH /api/perceptions/{id}';
import type { EnrolmentProblem, Perception } from '@lynceus/client';
import { Button, Checkbox, Fieldset, Group, NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { showDone } from '../../kit/error-text.js';
import { numberLimits, textLimits } from '../../kit/field-limits.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { useRenewFaces } from '../queries.js';

/** The problems of the enrolment checks; see docs/faces.md. */
const problems = [
  'too-small',
  'landmarks-implausible',
  'covered',
  'blurred',
  'turned-away',
  'too-dark',
  'too-bright',
  'several-faces',
  'same-image',
  'nearly-the-same',
  'looks-like-another',
  'unlike-own-images',
] as const satisfies readonly EnrolmentProblem[];

export function SettingsForm({ perception, isReadOnly }: { perception: Perception; isReadOnly: boolean }) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  const form = useForm({
    initialValues: {
      name: perception.name,
      decisionSimilarity: perception.decision_similarity,
      wantsLiveness: perception.wants_liveness,
      namesRecognition: perception.names_recognition,
      refusedProblems: [...perception.refused_problems] as EnrolmentProblem[],
    },
  });
  const save = useAction({
    mutationFn: (values: typeof form.values) => client.perceptions.change(perception.model_id, values),
    onSuccess: (_, values) => {
      form.setInitialValues(values);
      form.reset();
      showDone(t('faces.settings.saved'));
      return renew();
    },
  });
  const onOff = { type: 'checkbox' } as const;
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Fieldset variant="unstyled" disabled={isReadOnly} aria-label={t('faces.tabs.settings')} p={0}>
        <Stack>
          <TextInput
            label={t('faces.name')}
            required
            {...textLimits(limits, 'name')}
            dir="auto"
            {...form.getInputProps('name')}
          />
          <NumberInput
            label={t('faces.settings.decision')}
            description={t('faces.settings.decisionHint')}
            {...numberLimits(limits, 'decisionSimilarity')}
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
