import type { FaceCandidate } from '@lynceus/client';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useShowError } from '../../kit/tell-error.js';
import { useClient } from '../../service/client.js';
import type { PictureSource } from '../enrolment/enrolment-list.js';
import { useRenewFaces } from '../queries.js';
import { pictureOfFace } from './face-picture.js';
import type { SearchedFace } from './searched-face.js';

/** "This is Ada", which adds the face to her, and "this is not Ada", which remembers that. */
export function useCandidateActs(
  { person_id: personId, name }: FaceCandidate,
  { source, matches, face }: SearchedFace,
  onChanged: () => void,
) {
  const { t } = useTranslation();
  const client = useClient();
  const renew = useRenewFaces();
  const onError = useShowError();
  const onSuccess = async ({ isDone, message }: { isDone: boolean; message: string }) => {
    notifications.show({ color: isDone ? 'lynx' : 'red', message });
    if (!isDone) return;
    onChanged();
    await renew();
  };
  const withFace = async (
    send: (picture: PictureSource) => Promise<{ isDone: boolean; message: string }>,
  ) => {
    const picture = await pictureOfFace(client, source, matches, face);
    return picture ? send(picture) : { isDone: false, message: t('faceSearch.notCut') };
  };
  const isThem = useMutation({
    mutationFn: () =>
      withFace(async (picture) => {
        const { outcome, findings } = await client.faceImages.add(picture, { personId });
        const advice = findings.map((finding) => finding.advice).join('; ');
        if (outcome === 'added') return { isDone: true, message: t('faceSearch.added', { name }) };
        return { isDone: false, message: advice || t('person.noFace') };
      }),
    onSuccess,
    onError,
  });
  const isNotThem = useMutation({
    mutationFn: () =>
      withFace(async (picture) => {
        const { outcome } = await client.corrections.add(picture, { personId });
        return outcome === 'added'
          ? { isDone: true, message: t('person.corrections.added', { name }) }
          : { isDone: false, message: t('person.noFace') };
      }),
    onSuccess,
    onError,
  });
  return { isThem, isNotThem };
}
