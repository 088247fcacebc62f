import type { FaceCandidate } from '@lynceus/client';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useShowError } from '../../kit/error-text.js';
import { useClient } from '../../service/client.js';
import type { ImageSource } from '../enrolment/enrolment-list.js';
import { useRenewFaces } from '../queries.js';
import { imageOfFace } from './face-image.js';
import type { SearchedFace } from './searched-face.js';

/** "This is Ada", which adds the face to her, and "this is not Ada", which remembers that. */
export function useCandidateActions(
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
  const withFace = async (send: (image: ImageSource) => Promise<{ isDone: boolean; message: string }>) => {
    const image = await imageOfFace(client, source, matches, face);
    return image ? send(image) : { isDone: false, message: t('faceSearch.notCut') };
  };
  const isThem = useMutation({
    mutationFn: () =>
      withFace(async (image) => {
        const { outcome, findings } = await client.faceImages.add(image, { personId });
        const advice = findings.map((finding) => finding.advice).join('; ');
        if (outcome === 'added') return { isDone: true, message: t('faceSearch.added', { name }) };
        return { isDone: false, message: advice || t('person.noFace') };
      }),
    onSuccess,
    onError,
  });
  const isNotThem = useMutation({
    mutationFn: () =>
      withFace(async (image) => {
        const { outcome } = await client.corrections.add(image, { personId });
        return outcome === 'added'
          ? { isDone: true, message: t('person.corrections.added', { name }) }
          : { isDone: false, message: t('person.noFace') };
      }),
    onSuccess,
    onError,
  });
  return { isThem, isNotThem };
}
