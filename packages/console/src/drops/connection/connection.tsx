import type { Drop } from '@lynceus/client';
import {
  Alert,
  Code,
  CopyButton,
  SegmentedControl,
  Stack,
  Table,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { mdiPowerPlugOff } from '@mdi/js';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeBlock, SecretOnce } from '../../kit/copied-text.js';
import { Icon } from '../../kit/icon.js';
import { connectionLines, type Uploader, uploaders } from './connection-lines.js';

/** How to send images to a drop: credentials, and commands to paste. `secret` is null unless the key was just created. */
export function Connection({ drop, secret }: { drop: Drop; secret: string | null }) {
  const { t } = useTranslation();
  const { host, port, user_name } = drop.ftp;
  return (
    <Stack maw={760}>
      {port === null && drop.sftp.port === null && <FtpIsOff />}
      {secret !== null && <SecretOnce label={t('drops.connection.key')} secret={secret} />}
      <Table layout="fixed" variant="vertical" withTableBorder>
        <Table.Tbody>
          <Row name={t('drops.connection.host')} value={host} />
          <Row name={t('drops.connection.port')} value={port === null ? null : String(port)} />
          <Row
            name={t('drops.connection.sftpPort')}
            value={drop.sftp.port === null ? null : String(drop.sftp.port)}
          />
          <Row name={t('drops.connection.user')} value={user_name} />
          <Table.Tr>
            <Table.Th w={140}>{t('drops.connection.password')}</Table.Th>
            <Table.Td>
              {t(secret === null ? 'drops.connection.keyUnknown' : 'drops.connection.keyAbove')}
            </Table.Td>
          </Table.Tr>
          <Row name={t('drops.connection.folder')} value="/incoming" />
          <Table.Tr>
            <Table.Th>{t('drops.connection.protocol')}</Table.Th>
            <Table.Td>{t('drops.connection.protocolText')}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      {port !== null && <Lines access={{ host, port, userName: user_name, key: secret }} />}
    </Stack>
  );
}

function Row({ name, value }: { name: string; value: string | null }) {
  const { t } = useTranslation();
  return (
    <Table.Tr>
      <Table.Th w={140}>{name}</Table.Th>
      <Table.Td>
        {value === null ? (
          '–'
        ) : (
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? t('kit.copied') : t('kit.copy')}>
                <UnstyledButton onClick={copy} aria-label={t('drops.connection.copy', { name, value })}>
                  <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
                </UnstyledButton>
              </Tooltip>
            )}
          </CopyButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Lines({ access }: { access: Parameters<typeof connectionLines>[1] }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Uploader | 'camera'>('curl');
  return (
    <>
      <SegmentedControl
        w="fit-content"
        maw="100%"
        aria-label={t('drops.connection.with')}
        value={shown}
        onChange={(value) => setShown(uploaders.find((each) => each === value) ?? 'camera')}
        data={[...uploaders, 'camera' as const].map((value) => ({
          value,
          label: t(`drops.connection.uploader.${value}`),
        }))}
      />
      {shown === 'camera' ? (
        <Text>{t('drops.connection.camera')}</Text>
      ) : (
        <CodeBlock label={t(`drops.connection.uploader.${shown}`)} code={connectionLines(shown, access)} />
      )}
    </>
  );
}

/** Shown where files are expected while FTP is disabled. */
export function FtpIsOff() {
  const { t } = useTranslation();
  return (
    <Alert color="orange" icon={<Icon path={mdiPowerPlugOff} />} title={t('drops.off.title')} mb="md">
      <Stack gap="xs">
        {t('drops.off.text')}
        <CodeBlock
          label={t('drops.off.how')}
          code="LYNCEUS_FTP_PORT=2121 LYNCEUS_FTP_HOST=0.0.0.0 npm start"
        />
      </Stack>
    </Alert>
  );
}
