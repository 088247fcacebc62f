import type { DatasetFindings } from '@lynceus/client';
import { Accordion, Anchor, Badge, Group, List, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../kit/use-format.js';

const shownOfEach = 50;

/** Findings of a check, grouped by problem. */
export function FindingList({
  findings: { counts, findings, left_out },
  labelling,
}: {
  findings: DatasetFindings;
  /** Of the dataset, for links to its images. */
  labelling: string;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const problems = [...new Set(findings.map(({ problem }) => problem))];
  return (
    <>
      <Accordion variant="separated" multiple defaultValue={problems.slice(0, 1)}>
        {problems.map((problem) => {
          const own = findings.filter((finding) => finding.problem === problem);
          return (
            <Accordion.Item key={problem} value={problem}>
              <Accordion.Control>
                <Group gap="xs">
                  <Text fw={500}>{t(`datasets.problem.${problem}`)}</Text>
                  <Badge variant="light">{format.number(counts[problem] ?? own.length)}</Badge>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
                  {own.slice(0, shownOfEach).map((finding) => (
                    <List.Item key={findings.indexOf(finding)}>
                      {finding.image_id !== null ? (
                        <Anchor component={Link} to={`${labelling}?image=${finding.image_id}`} size="sm">
                          <bdi>{finding.file ?? `#${finding.image_id}`}</bdi>
                        </Anchor>
                      ) : (
                        finding.file && <bdi>{finding.file}</bdi>
                      )}
                      {(finding.file || finding.image_id !== null) && ': '}
                      {finding.message}
                    </List.Item>
                  ))}
                </List>
                {own.length > shownOfEach && (
                  <Text size="sm" c="dimmed" mt="xs">
                    {t('datasets.moreFindings', { count: own.length - shownOfEach })}
                  </Text>
                )}
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
      {left_out > 0 && (
        <Text size="sm" c="dimmed">
          {t('datasets.moreFindings', { count: left_out })}
        </Text>
      )}
    </>
  );
}
