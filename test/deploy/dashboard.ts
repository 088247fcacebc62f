import { readDeployFile } from './deploy-files.js';

interface Panel {
  readonly title: string;
  /** Rows have none. */
  readonly targets?: readonly { readonly expr: string }[];
}

/** Names of metrics by panel of the dashboard, and those that the autoscaler's rule reads. */
export function metricsNamedInDeployFiles(): ReadonlyMap<string, readonly string[]> {
  const { panels }: { panels: readonly Panel[] } = JSON.parse(readDeployFile('grafana/dashboard.json'));
  const named = panels.flatMap(({ title, targets }) =>
    targets ? [[title, namesIn(targets.map(({ expr }) => expr).join(' '))] as const] : [],
  );
  return new Map([
    ...named,
    ['prometheus-adapter.yaml', namesIn(readDeployFile('kubernetes/prometheus-adapter.yaml'))],
  ]);
}

/** Metrics of the service and of Node, without the endings that a histogram's series have. */
function namesIn(text: string): readonly string[] {
  const names = text.match(/\b(lynceus_(?!inference_queue_wait_mean)|nodejs_|process_)\w+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}

/** What a service exposes, by the lines that give each metric its type. */
export function metricsExposed(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
}
