import type * as client from '@lynceus/client';
import type { ErrorCode } from '@lynceus/server/dist/core/error-catalogue.js';
import type { Account } from '@lynceus/server/dist/http/api/account.js';
import type { AccountDeletion } from '@lynceus/server/dist/http/api/admin/account-deletions.js';
import type { AdminAccount } from '@lynceus/server/dist/http/api/admin/accounts.js';
import type {
  AdminModels,
  AdminSettings,
  ServiceState,
} from '@lynceus/server/dist/http/api/admin/service.js';
import type { SweepReport } from '@lynceus/server/dist/http/api/admin/sweeps.js';
import type { AdminUser, ResetLink } from '@lynceus/server/dist/http/api/admin/users.js';
import type { AuditEntry } from '@lynceus/server/dist/http/api/audit/audit.js';
import type { Findings, SplitCounts } from '@lynceus/server/dist/http/api/datasets/check.js';
import type { DatasetClass } from '@lynceus/server/dist/http/api/datasets/classes.js';
import type { CountedDataset, Dataset } from '@lynceus/server/dist/http/api/datasets/datasets.js';
import type { DatasetImage } from '@lynceus/server/dist/http/api/datasets/image.js';
import type { Receipt as DatasetReceipt } from '@lynceus/server/dist/http/api/datasets/receipt.js';
import type { LabelSuggestions } from '@lynceus/server/dist/http/api/datasets/suggestions.js';
import type { Verdicts } from '@lynceus/server/dist/http/api/datasets/verdict.js';
import type { Verdict as DropVerdict } from '@lynceus/server/dist/http/api/drops/destination-test.js';
import type { Drop, NewDrop } from '@lynceus/server/dist/http/api/drops/drop.js';
import type { Receipt as DropReceipt } from '@lynceus/server/dist/http/api/drops/drops.js';
import type { FileReceipt, PurgeReceipt, Retried } from '@lynceus/server/dist/http/api/drops/ended-files.js';
import type { DropFile, DropFileDetails } from '@lynceus/server/dist/http/api/drops/file.js';
import type { Analysis, FileHead } from '@lynceus/server/dist/http/api/files.js';
import type { Job } from '@lynceus/server/dist/http/api/job.js';
import type { Key, NewKey } from '@lynceus/server/dist/http/api/keys.js';
import type { Invitation, NewInvitation } from '@lynceus/server/dist/http/api/members/invitations.js';
import type {
  AccessReceipt,
  ChangedMember,
  Member,
  MemberKey,
} from '@lynceus/server/dist/http/api/members/members.js';
import type { BuiltInModel } from '@lynceus/server/dist/http/api/models/built-in.js';
import type { Model, Receipt as ModelReceipt } from '@lynceus/server/dist/http/api/models/models.js';
import type { ReadVersion, Version } from '@lynceus/server/dist/http/api/models/version.js';
import type { ImportReceipt } from '@lynceus/server/dist/http/api/perceptions/archive.js';
import type {
  CalibrationReport,
  CurveInForce,
} from '@lynceus/server/dist/http/api/perceptions/calibration-report.js';
import type { Corrected, Correction } from '@lynceus/server/dist/http/api/perceptions/corrections.js';
import type { EmbedderState } from '@lynceus/server/dist/http/api/perceptions/embedder-state.js';
import type { Enrolled } from '@lynceus/server/dist/http/api/perceptions/enrolment.js';
import type { FaceImage } from '@lynceus/server/dist/http/api/perceptions/face-image.js';
import type { CountedPerception, Perception } from '@lynceus/server/dist/http/api/perceptions/perceptions.js';
import type { Person } from '@lynceus/server/dist/http/api/perceptions/person.js';
import type { ReEmbeddedImage } from '@lynceus/server/dist/http/api/perceptions/re-embed-image.js';
import type { Receipt } from '@lynceus/server/dist/http/api/perceptions/receipt.js';
import type { FaceMatches } from '@lynceus/server/dist/http/api/perceptions/search.js';
import type { Link, PasswordRating } from '@lynceus/server/dist/http/api/session/links.js';
import type { RecoveryCodes, TotpSecret } from '@lynceus/server/dist/http/api/session/own-user.js';
import type { ListedSession, PageKey } from '@lynceus/server/dist/http/api/session/session.js';
import type { Session } from '@lynceus/server/dist/http/api/session/session-answer.js';
import type { SignInState } from '@lynceus/server/dist/http/api/session/sign-in.js';
import type { Usage, UsageSums } from '@lynceus/server/dist/http/api/usage.js';
import type { Readiness } from '@lynceus/server/dist/http/health.js';
import type { CommandAnswer, FaceSearchAnswer } from '@lynceus/server/dist/http/v1/face-operation.js';
import type {
  CustomRecognition,
  DetectionAnswer,
  GeneralRecognition,
} from '@lynceus/server/dist/http/v1/operation-schemas.js';
import type { PredictAnswer } from '@lynceus/server/dist/http/v2/operations.js';
import type { ImportOptionsRequest } from '@lynceus/server/dist/models/import-options.js';
import type { RecognitionPart } from '@lynceus/server/dist/recognition/parts.js';
import type { Static } from 'typebox';
import { expect, test } from 'vitest';

/** A type with all that does not change what fits it taken off: names, intersections, who may write. */
type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : { readonly [Name in keyof T]: Plain<T[Name]> };
/** Whether two types are the same; mutually assignable ones may still differ in what is optional. */
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false;
type Fits<A, B> = [Plain<A>] extends [Plain<B>] ? true : false;

// Where one of these is not true, the build fails.
const agree: readonly true[] = [
  true satisfies Same<client.ServiceErrorCode, ErrorCode>,
  true satisfies Same<client.RecognitionPart, RecognitionPart>,
  true satisfies Same<client.Session, Static<typeof Session>>,
  true satisfies Same<client.SignInState, Static<typeof SignInState>>,
  true satisfies Same<client.ListedSession, Static<typeof ListedSession>>,
  true satisfies Same<client.PageKey, Static<typeof PageKey>>,
  true satisfies Same<client.Link, Static<typeof Link>>,
  true satisfies Same<client.PasswordRating, Static<typeof PasswordRating>>,
  true satisfies Same<client.TotpSecret, Static<typeof TotpSecret>>,
  true satisfies Same<client.RecoveryCodes, Static<typeof RecoveryCodes>>,
  true satisfies Same<client.Member, Static<typeof Member>>,
  true satisfies Same<client.ChangedMember, Static<typeof ChangedMember>>,
  true satisfies Same<client.MemberKey, Static<typeof MemberKey>>,
  true satisfies Same<client.AccessReceipt, Static<typeof AccessReceipt>>,
  true satisfies Same<client.Invitation, Static<typeof Invitation>>,
  true satisfies Same<client.NewInvitation, Static<typeof NewInvitation>>,
  true satisfies Same<client.AuditEntry, Static<typeof AuditEntry>>,
  true satisfies Same<client.AdminAccount, Static<typeof AdminAccount>>,
  true satisfies Same<client.AccountDeletion, Static<typeof AccountDeletion>>,
  true satisfies Same<client.AdminUser, Static<typeof AdminUser>>,
  true satisfies Same<client.ResetLink, Static<typeof ResetLink>>,
  true satisfies Same<client.ServiceState, Static<typeof ServiceState>>,
  true satisfies Same<client.SweepReport, Static<typeof SweepReport>>,
  true satisfies Same<client.BuiltInModel, Static<typeof BuiltInModel>>,
  true satisfies Same<client.CatalogueModel, Static<typeof AdminModels>['data'][number]>,
  true satisfies Same<client.SettingInForce, Static<typeof AdminSettings>['data'][number]>,
  true satisfies Same<client.Recognition, Static<typeof GeneralRecognition>>,
  true satisfies Same<client.CustomRecognition, Static<typeof CustomRecognition>>,
  true satisfies Same<client.ObjectDetection, Static<typeof DetectionAnswer>>,
  true satisfies Same<client.Detection, Static<typeof PredictAnswer>>,
  true satisfies Same<client.FaceSearch, Static<typeof FaceSearchAnswer>>,
  // One schema for all commands; the client distinguishes them.
  true satisfies Fits<client.CreatedPerson | client.InsertedImage, Static<typeof CommandAnswer>>,
  true satisfies Same<keyof client.CreatedPerson, keyof Static<typeof CommandAnswer>>,
  true satisfies Same<client.Perception, Static<typeof Perception>>,
  true satisfies Same<client.CountedPerception, Static<typeof CountedPerception>>,
  true satisfies Same<client.ImportReceipt, Static<typeof ImportReceipt>>,
  true satisfies Same<client.CurveInForce, Static<typeof CurveInForce>>,
  true satisfies Same<client.CalibrationReport, Static<typeof CalibrationReport>>,
  true satisfies Same<client.Person, Static<typeof Person>>,
  true satisfies Same<client.EmbedderState, Static<typeof EmbedderState>>,
  true satisfies Same<client.ReEmbeddedImage, Static<typeof ReEmbeddedImage>>,
  true satisfies Same<client.FaceImage, Static<typeof FaceImage>>,
  true satisfies Same<client.EnrolledImage, Static<typeof Enrolled>>,
  true satisfies Same<client.FaceMatches, Static<typeof FaceMatches>>,
  true satisfies Same<client.Correction, Static<typeof Correction>>,
  true satisfies Same<client.CorrectedPerson, Static<typeof Corrected>>,
  true satisfies Same<client.DeletionReceipt, Static<typeof Receipt>>,
  true satisfies Same<client.Dataset, Static<typeof Dataset>>,
  true satisfies Same<client.CountedDataset, Static<typeof CountedDataset>>,
  true satisfies Same<client.DatasetClass, Static<typeof DatasetClass>>,
  true satisfies Same<client.DatasetImage, Static<typeof DatasetImage>>,
  true satisfies Same<client.AddedImages, Static<typeof Verdicts>>,
  true satisfies Same<client.DatasetFindings, Static<typeof Findings>>,
  true satisfies Same<client.DatasetSplitCounts, Static<typeof SplitCounts>>,
  true satisfies Same<client.DatasetReceipt, Static<typeof DatasetReceipt>>,
  true satisfies Same<client.CustomModel, Static<typeof Model>>,
  true satisfies Same<client.ModelReceipt, Static<typeof ModelReceipt>>,
  true satisfies Same<client.ModelVersion, Static<typeof Version>>,
  true satisfies Same<client.ReadModelVersion, Static<typeof ReadVersion>>,
  true satisfies Same<client.ModelImportOptions, Static<typeof ImportOptionsRequest>>,
  true satisfies Same<client.Drop, Static<typeof Drop>>,
  true satisfies Same<client.NewDrop, Static<typeof NewDrop>>,
  true satisfies Same<client.DropReceipt, Static<typeof DropReceipt>>,
  true satisfies Same<client.DestinationVerdict, Static<typeof DropVerdict>>,
  true satisfies Same<client.DropFile, Static<typeof DropFile>>,
  true satisfies Same<client.DropFileDetails, Static<typeof DropFileDetails>>,
  true satisfies Same<client.DropFileReceipt, Static<typeof FileReceipt>>,
  true satisfies Same<client.DropPurgeReceipt, Static<typeof PurgeReceipt>>,
  true satisfies Same<client.DropRetried, Static<typeof Retried>>,
  true satisfies Same<client.Job, Static<typeof Job>>,
  true satisfies Same<client.Account, Static<typeof Account>>,
  true satisfies Same<client.ApiKey, Static<typeof Key>>,
  true satisfies Same<client.NewApiKey, Static<typeof NewKey>>,
  true satisfies Same<client.UsagePage, Static<typeof Usage>>,
  true satisfies Fits<client.UsageSums, Static<typeof UsageSums>>,
  true satisfies Same<client.LabelSuggestions, Static<typeof LabelSuggestions>>,
  true satisfies Same<client.FileHead, Static<typeof FileHead>>,
  // What differs by operation is open in the schema and unknown in the client.
  true satisfies Same<
    Omit<client.FileAnalysis, 'options' | 'result'>,
    Omit<Static<typeof Analysis>, 'options' | 'result'>
  >,
  true satisfies Fits<client.FileAnalysis, Static<typeof Analysis>>,
  true satisfies Same<client.Readiness, Static<typeof Readiness>>,
];

test("the client's types are those of the service's schemas", () => {
  expect(agree).not.toContain(false);
});
