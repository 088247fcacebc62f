import { NavLink, Select, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { type SectionName, sections } from './documents.js';

export interface DocumentText {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

interface ContentsProps {
  /** The documents that match the search. */
  readonly found: readonly DocumentText[];
  /** The open document. */
  readonly name: string;
}

interface FoundSection {
  readonly title: SectionName;
  readonly documents: readonly DocumentText[];
}

/** The list of documents, beside the text. */
export function ContentsList({ found, name }: ContentsProps) {
  const { t } = useTranslation();
  if (found.length === 0) return <Text size="sm">{t('help.nothingFound')}</Text>;
  return (
    <nav aria-label={t('help.documents')}>
      <Stack gap="xs">
        {bySection(found).map(({ title, documents }) => (
          <div key={title}>
            <Text size="xs" c="dimmed" fw={600} px="sm" py={4}>
              {t(`help.sections.${title}`)}
            </Text>
            {documents.map((each) => (
              <NavLink
                key={each.name}
                component={Link}
                to={`/help/${each.name}`}
                label={each.title}
                active={each.name === name}
                aria-current={each.name === name ? 'page' : undefined}
                py={6}
              />
            ))}
          </div>
        ))}
      </Stack>
    </nav>
  );
}

/** The list of documents as a select, above the text on narrow screens. */
export function ContentsSelect({ found, name }: ContentsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isFound = found.some((each) => each.name === name);
  return (
    <Select
      label={t('help.document')}
      data={bySection(found).map(({ title, documents }) => ({
        group: t(`help.sections.${title}`),
        items: documents.map((each) => ({ value: each.name, label: each.title })),
      }))}
      value={isFound ? name : null}
      placeholder={t('help.found', { count: found.length })}
      nothingFoundMessage={t('help.nothingFound')}
      onChange={(chosen) => chosen && navigate(`/help/${chosen}`)}
      allowDeselect={false}
      maxDropdownHeight={420}
    />
  );
}

function bySection(found: readonly DocumentText[]): readonly FoundSection[] {
  return sections
    .map(({ title, names }) => ({
      title,
      documents: names.flatMap((name) => found.filter((each) => each.name === name)),
    }))
    .filter(({ documents }) => documents.length > 0);
}
