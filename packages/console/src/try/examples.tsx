import { Anchor, Stack, Tabs, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useRememberedKey } from '../keys/remembered-key.js';
import { CodeBlock } from '../kit/copied-text.js';
import type { ChosenImage } from '../kit/image/image-input.js';
import type { PredictCall } from '../models/predict-call.js';
import { serviceAddress } from '../service/addresses.js';
import { languages, writeExample } from './example.js';

/** The current call as code. */
export function Examples({ call, chosen }: { call: PredictCall; chosen: ChosenImage | null }) {
  const { t } = useTranslation();
  const key = useRememberedKey();
  return (
    <Stack gap="xs">
      <Tabs defaultValue="curl">
        <Tabs.List mb="xs">
          {languages.map((language) => (
            <Tabs.Tab key={language} value={language}>
              {t(`tryIt.languages.${language}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {languages.map((language) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock
              label={t(`tryIt.languages.${language}`)}
              code={writeExample(language, { baseUrl: serviceAddress, key: key ?? 'YOUR_KEY', call, chosen })}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
      {key === null && (
        <Text size="sm" c="dimmed">
          {t('tryIt.noKey')}{' '}
          <Anchor component={Link} to="/keys" underline="always" size="sm">
            {t('tryIt.createKey')}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
