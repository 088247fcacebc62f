import type { FaceCandidate } from '@lynceus/client';
import { ActionIcon, Anchor, Group, Menu, Progress, Text } from '@mantine/core';
import { mdiAccountCancel, mdiAccountCheck, mdiDotsVertical } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { useMayChange } from '../../service/current-session.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import { useModelId } from '../route-ids.js';
import styles from './face-report.module.css';
import type { SearchedFace } from './searched-face.js';
import { useCandidateActions } from './use-candidate-actions.js';

/** Somebody whom a face may be, and how much it looks like them. */
export function CandidateRow({
  candidate,
  searched,
  decision,
  onChanged,
}: {
  candidate: FaceCandidate;
  searched: SearchedFace;
  /** From which similarity it is a match. */
  decision: number | null;
  onChanged: () => void;
}) {
  const { t, i18n } = useTranslation();
  const modelId = useModelId();
  const mayChange = useMayChange();
  const { isThem, isNotThem } = useCandidateActions(candidate, searched, onChanged);
  const { name, similarity } = candidate;
  const percent = similarity.toLocaleString(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <li className={styles['candidate']}>
      <div className={styles['face']}>
        <FaceThumbnail imageId={candidate.image_id} width={64} />
      </div>
      <div className={styles['words']}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Anchor
            component={Link}
            to={`/faces/${modelId}/people/${candidate.person_id}`}
            size="sm"
            className={styles['words'] ?? ''}
          >
            <GivenName name={name} inherit fw={candidate.is_match ? 600 : 400} />
          </Anchor>
          <Text size="sm" fw={candidate.is_match ? 600 : 400}>
            {percent}
          </Text>
        </Group>
        <div className={styles['bar']}>
          <Progress
            value={similarity * 100}
            size="sm"
            color={candidate.is_match ? 'lynx.7' : 'gray'}
            aria-label={t('faceSearch.similarity', { name, percent })}
          />
          {decision !== null && (
            <div
              className={styles['point']}
              style={{ insetInlineStart: `${decision * 100}%` }}
              title={t('faceSearch.decision')}
            />
          )}
        </div>
      </div>
      {mayChange && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              loading={isThem.isPending || isNotThem.isPending}
              aria-label={t('faceSearch.actsFor', { name })}
            >
              <Icon path={mdiDotsVertical} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown maw={280}>
            <Menu.Item
              leftSection={<Icon path={mdiAccountCheck} size={16} />}
              onClick={() => isThem.mutate()}
            >
              <GivenName name={t('faceSearch.isThem', { name })} inherit />
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<Icon path={mdiAccountCancel} size={16} />}
              onClick={() => isNotThem.mutate()}
            >
              <GivenName name={t('faceSearch.isNotThem', { name })} inherit />
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  );
}
