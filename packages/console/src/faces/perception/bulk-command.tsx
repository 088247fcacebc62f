import { Button, Code, CopyButton, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Many images at once are added by the command line, on the machine of the service. */
export function BulkCommand({ modelId }: { modelId: number }) {
  const { t } = useTranslation();
  const command = `npm run -s lynceus -- faces import photos/ --into ${modelId}`;
  return (
    <Stack gap="xs" align="start">
      <Title order={2} size="h4">
        {t('faces.bulk.title')}
      </Title>
      <Text size="sm" c="dimmed" maw={640}>
        {t('faces.bulk.text')}
      </Text>
      <Code block style={{ maxWidth: '100%', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {command}
      </Code>
      <CopyButton value={command}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy}>
            {t(copied ? 'kit.copied' : 'kit.copy')}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}
