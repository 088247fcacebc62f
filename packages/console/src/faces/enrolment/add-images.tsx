import { useTranslation } from 'react-i18next';
import { PictureIntake } from '../../kit/pictures/picture-intake.js';
import { EnrolmentReport } from './enrolment-report.js';
import { useEnrolments } from './use-enrolments.js';

/** Where pictures of a person are given. */
export function AddImages({ personId }: { personId: number }) {
  const { t } = useTranslation();
  const enrolments = useEnrolments(personId);
  return (
    <section aria-label={t('person.addImages')}>
      <PictureIntake
        text={t('person.addHint')}
        isMany
        onFiles={enrolments.give}
        onAddress={(url) => enrolments.give([{ url }])}
      />
      <EnrolmentReport list={enrolments.list} onRetry={enrolments.retry} onClear={enrolments.clear} />
    </section>
  );
}
