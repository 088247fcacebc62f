import { useTranslation } from 'react-i18next';
import { PictureInput } from '../../kit/picture/picture-input.js';
import { EnrolmentReport } from './enrolment-report.js';
import { useEnrolments } from './use-enrolments.js';

/** Where pictures of a person are given. */
export function AddImages({ personId }: { personId: number }) {
  const { t } = useTranslation();
  const enrolments = useEnrolments(personId);
  return (
    <section aria-label={t('person.addImages')}>
      <PictureInput
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
