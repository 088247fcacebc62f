import type { Analysis } from '../job.js';

/** Parts of one job as one; the times are those of `lead`, which decoded, with the others' tasks beside them. */
export function mergeAnalyses(lead: Analysis, others: readonly Analysis[]): Analysis {
  const models = new Map(
    [lead, ...others].flatMap((part) => part.models.map((model) => [`${model.id}@${model.version}`, model])),
  );
  return {
    image: lead.image,
    results: Object.assign({}, lead.results, ...others.map(({ results }) => results)),
    models: [...models.values()],
    timingsMs: Object.assign({}, ...others.map(({ timingsMs }) => timingsMs), lead.timingsMs),
  };
}
