import { useTranslation } from 'react-i18next';
import { ImageInput } from '../../kit/image/image-input.js';
import { EnrolmentReport } from './enrolment-report.js';
import { useEnrolments } from './use-enrolments.js';

/** Where images of a person are given. */
export function AddImages({ personId }: { personId: number }) {
  const { t } = useTranslation();
  const enrolments = useEnrolments(personId);
  return (
    <section aria-label={t('person.addImages')}>
      <ImageInput
        hint={t('person.addHint')}
        isMany
        // More can be given while some are on their way.
        isBusy={false}
        onChoose={enrolments.give}
      />
      <EnrolmentReport list={enrolments.list} onRetry={enrolments.retry} onClear={enrolments.clear} />
    </section>
  );
}
