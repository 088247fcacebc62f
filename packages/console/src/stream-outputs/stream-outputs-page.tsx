import type { StreamOutput } from '@lynceus/client';
import { Badge, Box, Text } from '@mantine/core';
import { mdiExportVariant } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CreateButton, ListPage } from '../kit/data-list.js';
import { toSentence } from '../kit/error-text.js';
import { GivenName } from '../kit/given-name.js';
import { type Column, ListTable } from '../kit/list-table.js';
import { Moment } from '../kit/moment.js';
import { usePages } from '../kit/more.js';
import { useFormat } from '../kit/use-format.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { OutputForm } from './output-form.js';
import { OutputMenu } from './output-menu.js';
import { OutputTest } from './output-test.js';

type Opened = { readonly as: 'form' | 'test'; readonly output: StreamOutput } | { readonly as: 'new' };

/** Where events of cameras are sent, and how that goes. */
export function StreamOutputsPage() {
  const { t } = useTranslation();
  const client = useClient();
  const mayChange = useMayChange();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const list = usePages(['stream-outputs', 'list'], (cursor, signal) =>
    client.streamOutputs.page({ cursor, signal }),
  );
  return (
    <>
      <ListPage
        head={{
          title: t('streamOutputs.title'),
          text: t('streamOutputs.text'),
          back: { to: '/streams', name: t('streamOutputs.cameras') },
        }}
        list={list}
        create={
          mayChange && <CreateButton text={t('streamOutputs.add')} onClick={() => setOpened({ as: 'new' })} />
        }
        empty={{
          icon: mdiExportVariant,
          title: t('streamOutputs.emptyTitle'),
          text: t('streamOutputs.emptyText'),
        }}
      >
        {(outputs) => <OutputTable outputs={outputs} {...(mayChange ? { onOpen: setOpened } : {})} />}
      </ListPage>
      {opened?.as === 'new' && <OutputForm output={null} onClose={close} />}
      {opened?.as === 'form' && <OutputForm output={opened.output} onClose={close} />}
      {opened?.as === 'test' && <OutputTest output={opened.output} onClose={close} />}
    </>
  );
}

function OutputTable({
  outputs,
  onOpen,
}: {
  outputs: readonly StreamOutput[];
  /** Absent for who may not change them. */
  onOpen?: (opened: Opened) => void;
}) {
  const { t } = useTranslation();
  const columns: readonly Column<StreamOutput>[] = [
    {
      name: t('streamOutputs.column.name'),
      cell: ({ name, settings }) => (
        <Box miw={0}>
          <GivenName name={name} size="sm" fw={500} />
          <GivenName name={settings.url} size="xs" c="dimmed" />
        </Box>
      ),
    },
    {
      name: t('streamOutputs.column.kind'),
      width: 130,
      cell: ({ settings }) => t(`streamOutputs.kind.${settings.kind}`),
    },
    { name: t('streamOutputs.column.state'), cell: (output) => <OutputState output={output} /> },
  ];
  const actions: Column<StreamOutput> = {
    name: t('streamOutputs.column.actions'),
    width: 70,
    isAtEnd: true,
    isSpokenAlone: true,
    cell: (output) => (
      <OutputMenu
        output={output}
        onChange={() => onOpen?.({ as: 'form', output })}
        onTest={() => onOpen?.({ as: 'test', output })}
      />
    ),
  };
  return (
    <ListTable items={outputs} keyOf={({ id }) => id} columns={onOpen ? [...columns, actions] : columns} />
  );
}

/** Whether events arrive, and why not. */
function OutputState({ output: { enabled, failing_since, error, given_up } }: { output: StreamOutput }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const isFailing = enabled && failing_since !== null;
  const state = isFailing ? 'failing' : enabled ? 'works' : 'disabled';
  const colour = { failing: 'red', works: 'lynx', disabled: 'gray' }[state];
  return (
    <>
      <Badge variant="light" color={colour}>
        {t(`streamOutputs.state.${state}`)}
      </Badge>
      {isFailing && (
        <>
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {error !== null && toSentence(error)}
          </Text>
          <Text size="xs" c="dimmed">
            {t('streamOutputs.failingSince')} <Moment at={failing_since} />
          </Text>
        </>
      )}
      {given_up > 0 && (
        <Text size="xs" c="dimmed">
          {t('streamOutputs.givenUp', { count: given_up, number: number(given_up) })}
        </Text>
      )}
    </>
  );
}
