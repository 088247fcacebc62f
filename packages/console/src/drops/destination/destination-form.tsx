import type { Drop } from '@lynceus/client';
import { Alert, Button, Collapse, Fieldset, Group, Select, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiChevronDown, mdiChevronUp, mdiConnection } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../kit/icon.js';
import { useMayChange } from '../../service/current-session.js';
import { DestinationField } from './destination-field.js';
import { type FieldName, fieldsOf, isSecret, kinds } from './destination-fields.js';
import { useDestinationForm } from './use-destination-form.js';
import { Verdict } from './verdict.js';

/** Where a drop's files go: a form for each kind, and a test that tells what came of it. */
export function DestinationForm({ drop, onSaved }: { drop: Drop; onSaved: (drop: Drop) => void }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const [isMore, more] = useDisclosure(false);
  const { form, save, test, fault, submit, trySaved } = useDestinationForm(drop, onSaved);
  const { kind } = form.values;
  const kept: readonly string[] = drop.destination?.kind === kind ? drop.destination.secrets : [];
  const shown = (names: readonly FieldName[]) =>
    kind !== 'none' &&
    names.map((name) => (
      <DestinationField
        key={name}
        kind={kind}
        name={name}
        isNeeded={fieldsOf[kind].needed.includes(name)}
        isKept={isSecret(name) && kept.includes(name)}
        input={form.getInputProps(`fields.${name}`)}
      />
    ));
  return (
    <form onSubmit={submit} noValidate>
      <Fieldset variant="unstyled" disabled={!mayChange}>
        <Stack maw={760}>
          <Select
            label={t('destinations.kind')}
            allowDeselect={false}
            data={(['none', ...kinds] as const).map((value) => ({
              value,
              label: t(`destinations.kinds.${value}`),
            }))}
            {...form.getInputProps('kind')}
          />
          {kind !== 'none' && (
            <>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>{shown(fieldsOf[kind].first)}</SimpleGrid>
              <Button
                variant="subtle"
                size="compact-sm"
                w="fit-content"
                aria-expanded={isMore}
                onClick={more.toggle}
                leftSection={<Icon path={isMore ? mdiChevronUp : mdiChevronDown} size={16} />}
              >
                {t(isMore ? 'destinations.less' : 'destinations.more')}
              </Button>
              <Collapse expanded={isMore}>
                <SimpleGrid cols={{ base: 1, sm: 2 }}>{shown(fieldsOf[kind].more)}</SimpleGrid>
              </Collapse>
            </>
          )}
          {fault && (
            <Alert color="red" role="alert">
              {fault}
            </Alert>
          )}
          <Verdict test={test} />
          {mayChange && (
            <Group>
              {kind !== 'none' && (
                <Button
                  variant={form.isDirty() ? 'filled' : 'default'}
                  leftSection={<Icon path={mdiConnection} size={18} />}
                  loading={test.isPending || save.isPending}
                  onClick={() => trySaved()}
                >
                  {t(form.isDirty() ? 'destinations.saveAndTest' : 'destinations.test')}
                </Button>
              )}
              {form.isDirty() && (
                <Button
                  type="submit"
                  variant={kind === 'none' ? 'filled' : 'default'}
                  loading={save.isPending}
                >
                  {t('destinations.save')}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}
