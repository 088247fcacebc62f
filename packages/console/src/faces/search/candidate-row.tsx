import type { FaceCandidate } from '@lynceus/client';
import { ActionIcon, Anchor, Group, Menu, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { mdiAccountCancel, mdiAccountCheck, mdiDotsVertical } from '@mdi/js';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { GivenName } from '../../kit/given-name.js';
import { Icon } from '../../kit/icon.js';
import { useAction } from '../../kit/use-action.js';
import { useFormat } from '../../kit/use-format.js';
import { useClient } from '../../service/client.js';
import { useMayChange } from '../../service/current-session.js';
import type { ImageSource } from '../enrolment/enrolment-list.js';
import { FaceThumbnail } from '../face-thumbnail.js';
import { useRenewFaces } from '../queries.js';
import { useModelId } from '../route-ids.js';
import { imageOfFace, type SearchedFace } from './face-image.js';
import styles from './face-report.module.css';

/** A candidate for a face, with the similarity. */
export function CandidateRow({
  candidate,
  searched,
  decision,
  onChanged,
}: {
  candidate: FaceCandidate;
  searched: SearchedFace;
  /** A candidate from this similarity on is a match. */
  decision: number | null;
  onChanged: () => void;
}) {
  const { t } = useTranslation();
  const modelId = useModelId();
  const mayChange = useMayChange();
  const { isThem, isNotThem } = useCandidateActions(candidate, searched, onChanged);
  const { name, similarity } = candidate;
  const percent = useFormat().percent(similarity);
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
          <Menu.Dropdown maw={280} style={{ overflowWrap: 'anywhere' }}>
            <Menu.Item
              leftSection={<Icon path={mdiAccountCheck} size={16} />}
              onClick={() => isThem.mutate()}
            >
              {t('faceSearch.isThem', { name })}
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<Icon path={mdiAccountCancel} size={16} />}
              onClick={() => isNotThem.mutate()}
            >
              {t('faceSearch.isNotThem', { name })}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  );
}

/** "This is Ada" adds the face to the person; "this is not Ada" adds a correction. */
function useCandidateActions(
  { person_id: personId, name }: FaceCandidate,
  { source, matches, face }: SearchedFace,
  onChanged: () => void,
) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  const onSuccess = async ({ isDone, message }: { isDone: boolean; message: string }) => {
    notifications.show({ color: isDone ? 'lynx' : 'red', message });
    if (!isDone) return;
    onChanged();
    await renew();
  };
  const withFace = async (send: (image: ImageSource) => Promise<{ isDone: boolean; message: string }>) => {
    const image = await imageOfFace(client, source, matches, face);
    return image ? send(image) : { isDone: false, message: t('faceSearch.notCut') };
  };
  const isThem = useAction({
    mutationFn: () =>
      withFace(async (image) => {
        const { outcome, findings } = await client.faceImages.add(image, { personId });
        const advice = findings.map((finding) => finding.advice).join('; ');
        if (outcome === 'added') return { isDone: true, message: t('faceSearch.added', { name }) };
        return { isDone: false, message: advice || t('person.noFace') };
      }),
    onSuccess,
  });
  const isNotThem = useAction({
    mutationFn: () =>
      withFace(async (image) => {
        const { outcome } = await client.corrections.add(image, { personId });
        return outcome === 'added'
          ? { isDone: true, message: t('person.corrections.added', { name }) }
          : { isDone: false, message: t('person.noFace') };
      }),
    onSuccess,
  });
  return { isThem, isNotThem };
}
