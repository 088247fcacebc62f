import { useTranslation } from 'react-i18next';
import { showDone } from '../../kit/error-text.js';
import { useClient } from '../../service/client.js';
import { PersonWindow } from '../people/person-window.js';
import { useRenewFaces } from '../queries.js';
import { useModelId } from '../route-ids.js';
import { imageOfFace, type SearchedFace } from './face-image.js';

/** Adds a new person from a searched face. */
export function EnrolFace({
  searched: { source, matches, face },
  onClose,
  onChanged,
}: {
  searched: SearchedFace;
  onClose: () => void;
  onChanged: () => void;
}) {
  const { t } = useTranslation();
  const client = useClient();
  const modelId = useModelId();
  const renew = useRenewFaces();
  const enrol = async (fields: { name: string; keyId: string | null }) => {
    const image = await imageOfFace(client, source, matches, face);
    if (!image) throw new Error(t('faceSearch.notCut'));
    const person = await client.people.create(modelId, fields);
    try {
      const { outcome, findings } = await client.faceImages.add(image, { personId: person.id });
      if (outcome === 'added') return;
      throw new Error(findings.map(({ advice }) => advice).join('; ') || t('person.noFace'));
    } catch (error) {
      // No person is left without the face that they were created for.
      await client.people.remove(person.id);
      throw error;
    }
  };
  return (
    <PersonWindow
      title={t('faceSearch.enrolTitle')}
      submit={t('faces.addPerson')}
      save={enrol}
      onSaved={(_, name) => {
        showDone(t('faceSearch.enrolled', { name }));
        onChanged();
        return renew();
      }}
      onClose={onClose}
    />
  );
}
