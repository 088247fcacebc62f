import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../kit/copied-text.js';

/** The command that adds many images, on the machine of the service. */
export function BulkCommand({ modelId }: { modelId: number }) {
  const { t } = useTranslation();
  const command = `npm run -s lynceus -- faces import photos/ --into ${modelId}`;
  return (
    <Stack gap="xs" maw={720}>
      <Title order={2} size="h4">
        {t('faces.bulk.title')}
      </Title>
      <Text size="sm" c="dimmed" maw={640}>
        {t('faces.bulk.text')}
      </Text>
      <CodeBlock label={t('faces.bulk.title')} code={command} />
    </Stack>
  );
}
