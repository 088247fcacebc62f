import { Anchor, Box, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { mdiOpenInNew } from '@mdi/js';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { Answered } from '../kit/answered.js';
import { Icon } from '../kit/icon.js';
import { PageHead } from '../kit/page-head.js';
import { SearchField, useSearch } from '../kit/search-field.js';
import { serviceAddress } from '../service/addresses.js';
import { ContentsList, ContentsSelect, type DocumentText } from './contents.js';
import { Document } from './document.js';
import { documentNames, readDocument, titleOf } from './documents.js';
import styles from './help-page.module.css';

const firstDocument = documentNames[0] ?? '';

/** The documentation of this version of the service. */
export function HelpPage() {
  const { t } = useTranslation();
  const { name = firstDocument } = useParams();
  const search = useSearch();
  const wanted = search.wanted?.toLowerCase() ?? '';
  const all = useQuery({ queryKey: ['documents'], queryFn: readAll, staleTime: Infinity });
  return (
    <>
      <PageHead title={t('help.title')} text={t('help.text')}>
        <Button
          component="a"
          href={`${serviceAddress}/docs`}
          target="_blank"
          variant="default"
          rightSection={<Icon path={mdiOpenInNew} size={16} />}
        >
          {t('help.openApi')}
        </Button>
      </PageHead>
      <Answered query={all}>
        {(documents) => {
          const found = documents.filter(({ text }) => text.toLowerCase().includes(wanted));
          return (
            <Grid gap="xl">
              <Grid.Col span={{ base: 12, md: 3 }}>
                <Stack gap="xs" className={styles['contents']}>
                  <Group>
                    <SearchField label={t('help.search')} value={search.typed} onChange={search.onType} />
                  </Group>
                  <Box visibleFrom="md">
                    <ContentsList found={found} name={name} />
                  </Box>
                  <Box hiddenFrom="md">
                    <ContentsSelect found={found} name={name} />
                  </Box>
                </Stack>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 9 }}>
                <Shown text={documents.find((each) => each.name === name)?.text} name={name} />
              </Grid.Col>
            </Grid>
          );
        }}
      </Answered>
    </>
  );
}

function Shown({ text, name }: { text: string | undefined; name: string }) {
  const { t } = useTranslation();
  if (text !== undefined) return <Document key={name} markdown={text} name={name} />;
  return (
    <Text>
      {t('help.none')}{' '}
      <Anchor component={Link} to="/help" underline="always">
        {t('help.first')}
      </Anchor>
    </Text>
  );
}

async function readAll(): Promise<readonly DocumentText[]> {
  const read = await Promise.all(
    documentNames.map(async (name) => ({ name, text: (await readDocument(name)) ?? '' })),
  );
  return read.map((each) => ({ ...each, title: titleOf(each.text) || each.name }));
}
