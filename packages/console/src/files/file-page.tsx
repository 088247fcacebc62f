import type { FileAnalysis } from '@lynceus/client';
import { Button, Grid, Paper, Stack, Table, Tabs, Text } from '@mantine/core';
import { mdiDelete } from '@mdi/js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { useConfirm } from '../kit/confirm.js';
import { CodeBlock } from '../kit/copied-text.js';
import { Icon } from '../kit/icon.js';
import { AnnotatedImage } from '../kit/image/annotated-image.js';
import { FindingsList } from '../kit/image/findings-list.js';
import { Moment } from '../kit/moment.js';
import { PageHead } from '../kit/page-head.js';
import { useAction } from '../kit/use-action.js';
import { useFormat } from '../kit/use-format.js';
import { fileImageAddress } from '../service/addresses.js';
import { useClient } from '../service/client.js';
import { useMayChange } from '../service/current-session.js';
import { findingsOfResult } from './read-result.js';

/** One analysis: findings, models, durations, and the image if it was stored. */
export function FilePage() {
  const { fileid = '' } = useParams();
  const client = useClient();
  const file = useQuery({
    queryKey: ['files', 'one', fileid],
    queryFn: ({ signal }) => client.files.read(fileid, { signal }),
  });
  return <Answered query={file}>{(found) => <Shown file={found} />}</Answered>;
}

function Shown({ file }: { file: FileAnalysis }) {
  const { t } = useTranslation();
  const mayChange = useMayChange();
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const findings = findingsOfResult(file);
  const highlight = { highlighted, onHighlight: setHighlighted };
  const noImage = (
    <Paper withBorder p="xl">
      <Text ta="center" c="dimmed">
        {t('files.noImage')}
      </Text>
    </Paper>
  );
  return (
    <>
      <PageHead
        title={t('files.one', { id: file.fileid.slice(0, 8) })}
        text={file.fileid}
        back={{ to: '/files', name: t('files.title') }}
      >
        {mayChange && <Delete fileid={file.fileid} />}
      </PageHead>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          {file.image_bytes === null ? (
            noImage
          ) : (
            <AnnotatedImage
              src={fileImageAddress(file.fileid, 1280)}
              alt={t('files.image')}
              size={file.image}
              findings={findings}
              otherwise={noImage}
              {...highlight}
            />
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Tabs defaultValue="found">
            <Tabs.List mb="sm">
              <Tabs.Tab value="found">{t('files.found')}</Tabs.Tab>
              <Tabs.Tab value="facts">{t('files.facts')}</Tabs.Tab>
              <Tabs.Tab value="json">{t('files.json')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="found">
              <Stack>
                <FindingsList findings={findings} {...highlight} />
              </Stack>
            </Tabs.Panel>
            <Tabs.Panel value="facts">
              <Facts file={file} />
            </Tabs.Panel>
            <Tabs.Panel value="json">
              <CodeBlock label={t('files.json')} code={JSON.stringify(file, null, 2)} />
            </Tabs.Panel>
          </Tabs>
        </Grid.Col>
      </Grid>
    </>
  );
}

function Facts({ file }: { file: FileAnalysis }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { kind, width, height } = file.image;
  const rows = [
    [t('files.fact.operation'), file.operation],
    [t('files.fact.image'), `${kind}, ${width} × ${height}`],
    [t('files.fact.at'), <Moment key="at" at={file.created_at} />],
    [t('files.fact.until'), <Moment key="until" at={file.expires_at} />],
    [t('files.fact.models'), file.models.map(({ id }) => id).join(', ')],
    ...Object.entries(file.timings_ms).map(([name, ms]) => [
      t('files.fact.time', { name: name.replaceAll('_', ' ') }),
      `${number(ms, 1)} ms`,
    ]),
  ] as const;
  return (
    <Table verticalSpacing={6}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={String(name)}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Delete({ fileid }: { fileid: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const remove = useAction({
    mutationFn: () => client.files.remove(fileid),
    onSuccess: () => {
      navigate('/files');
      return queries.invalidateQueries({ queryKey: ['files'] });
    },
  });
  return (
    <Button
      color="red"
      variant="light"
      leftSection={<Icon path={mdiDelete} size={18} />}
      loading={remove.isPending}
      onClick={() =>
        confirm({
          title: t('files.deleteTitle'),
          text: t('files.deleteText'),
          yes: t('files.delete'),
          onYes: () => remove.mutate(),
        })
      }
    >
      {t('files.delete')}
    </Button>
  );
}
