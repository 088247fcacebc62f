import type { BuiltInModel } from '@lynceus/client';
import {
  Anchor,
  Badge,
  Card,
  Code,
  Group,
  List,
  SimpleGrid,
  Spoiler,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Answered } from '../kit/answered.js';
import { useMayChange } from '../service/current-session.js';
import { usableBuiltIn, useBuiltInModels } from './known-models.js';
import { tryAddress } from './predict-call.js';

/** The models that come with the service, with licence and measured figures. */
export function BuiltInList() {
  const models = useBuiltInModels();
  return (
    <Answered query={models}>
      {(all) => (
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          {all.map((model) => (
            <BuiltInCard
              key={model.id}
              model={model}
              usable={new Set(usableBuiltIn(all).map(({ uid }) => uid))}
            />
          ))}
        </SimpleGrid>
      )}
    </Answered>
  );
}

/** `usable`: UIDs of models that can be called. */
function BuiltInCard({ model, usable }: { model: BuiltInModel; usable: ReadonlySet<string> }) {
  const { t } = useTranslation();
  const mayTry = useMayChange();
  return (
    <Card withBorder component="article">
      <Stack gap="sm">
        <Group justify="space-between" align="start" wrap="nowrap">
          <div>
            <Title order={2} size="h4">
              {model.name}
            </Title>
            <Code>{model.id}</Code>
          </div>
          <Group gap={6} justify="end">
            <Badge variant="light">{model.task.replaceAll('-', ' ')}</Badge>
            {model.is_added && <Badge variant="light">{t('models.added')}</Badge>}
            <Badge variant="light" color={model.is_installed ? 'lynx' : 'gray'}>
              {t(model.is_installed ? 'models.installed' : 'models.notInstalled')}
            </Badge>
          </Group>
        </Group>
        <Text size="sm">{model.summary}</Text>
        {model.predicts_as.map(({ model_id, uid, name, task }) => (
          <Text key={uid} size="sm">
            {t('models.predictsAs', { name })} <Code>{model_id}</Code> (v1), <Code>{uid}</Code> (v2)
            {mayTry && usable.has(uid) && (
              <>
                {' · '}
                <Anchor
                  component={Link}
                  to={tryAddress({ task, uid })}
                  size="sm"
                  underline="always"
                  aria-label={t('models.tryNamed', { name })}
                >
                  {t('models.tryIt')}
                </Anchor>
              </>
            )}
          </Text>
        ))}
        <Text size="sm">
          <b>{t('models.licence')}: </b>
          {model.licence.stated}. <span>{model.licence.by}</span>
        </Text>
        {model.measured.length > 0 && (
          <Table withTableBorder verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('models.figure')}</Table.Th>
                <Table.Th>{t('models.value')}</Table.Th>
                <Table.Th>{t('models.how')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {model.measured.map(({ figure, value, how }) => (
                <Table.Tr key={`${figure} ${how}`}>
                  <Table.Td>{figure}</Table.Td>
                  <Table.Td>{value}</Table.Td>
                  <Table.Td>
                    <Text size="xs" c="dimmed">
                      {how}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Spoiler maxHeight={0} showLabel={t('models.showProvenance')} hideLabel={t('models.hideProvenance')}>
          <List size="sm" spacing={4}>
            {model.provenance.known.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
            {model.provenance.unknown.map((sentence) => (
              <List.Item key={sentence}>
                <b>{t('models.notKnown')} </b>
                {sentence}
              </List.Item>
            ))}
          </List>
        </Spoiler>
        {model.licence.text !== null && (
          <Spoiler maxHeight={0} showLabel={t('models.showLicence')} hideLabel={t('models.hideLicence')}>
            <Text size="xs" style={{ whiteSpace: 'pre-wrap' }}>
              {model.licence.text}
            </Text>
          </Spoiler>
        )}
      </Stack>
    </Card>
  );
}
