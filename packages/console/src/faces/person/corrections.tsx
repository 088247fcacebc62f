import type { Person } from '@lynceus/client';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { mdiAccountCancel } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../kit/confirm.js';
import { DataList } from '../../kit/data-list.js';
import { Icon } from '../../kit/icon.js';
import { Moment } from '../../kit/moment.js';
import { usePages } from '../../kit/more.js';
import { useAction } from '../../kit/use-action.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import { useRenewFaces } from '../queries.js';
import { NewCorrection } from './new-correction.js';

/** Corrections: faces that do not belong to this person. */
export function Corrections({ person }: { person: Person }) {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const [isAdding, adding] = useDisclosure(false);
  const list = usePages(['faces', 'corrections', person.id], (cursor, signal) =>
    client.corrections.page(person.id, { limit: 100, cursor, signal }),
  );
  return (
    <section aria-labelledby="corrections">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="corrections">
          {t('person.corrections.title')}
        </Title>
        {mayChange && (
          <Button
            variant="default"
            leftSection={<Icon path={mdiAccountCancel} size={16} />}
            onClick={adding.open}
          >
            {t('person.corrections.add')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="sm" maw={640}>
        {t('person.corrections.text')}
      </Text>
      <DataList list={list} empty={<Text size="sm">{t('person.corrections.none')}</Text>}>
        {(corrections) => (
          <Stack gap="xs" maw={560} component="ul" p={0} m={0}>
            {corrections.map(({ id, created_at }) => (
              <Paper key={id} component="li" withBorder px="sm" py={6} display="block">
                <Group justify="space-between" wrap="nowrap">
                  <Text size="sm">
                    {t('person.corrections.one', { id })} · <Moment at={created_at} />
                  </Text>
                  {mayChange && <Forget personId={person.id} id={id} />}
                </Group>
              </Paper>
            ))}
          </Stack>
        )}
      </DataList>
      {isAdding && <NewCorrection person={person} onClose={adding.close} />}
    </section>
  );
}

function Forget({ personId, id }: { personId: number; id: number }) {
  const { t } = useTranslation();
  const client = useClient();
  const confirm = useConfirm();
  const renew = useRenewFaces();
  const forget = useAction({
    mutationFn: () => client.corrections.remove(personId, id),
    onSuccess: () => renew(),
  });
  const ask = () =>
    confirm({
      title: t('person.corrections.forgetTitle'),
      text: t('person.corrections.forgetText'),
      yes: t('person.corrections.forget'),
      onYes: () => forget.mutate(),
    });
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      loading={forget.isPending}
      onClick={ask}
      aria-label={t('person.corrections.forgetNamed', { id })}
    >
      {t('person.corrections.forget')}
    </Button>
  );
}
