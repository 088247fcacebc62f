import { readDeployFile } from './deploy-files.js';

interface Panel {
  readonly title: string;
  /** Rows have none. */
  readonly targets?: readonly { readonly expr: string }[];
}

export function readPanels(): readonly Panel[] {
  const { panels }: { panels: readonly Panel[] } = JSON.parse(readDeployFile('grafana/dashboard.json'));
  return panels;
}

/** Names of metrics by panel of the dashboard, those of the alert rules, and those that the autoscaler's rule reads. */
export function metricsNamedInDeployFiles(): ReadonlyMap<string, readonly string[]> {
  const named = readPanels().flatMap(({ title, targets }) =>
    targets ? [[title, namesIn(targets.map(({ expr }) => expr).join(' '))] as const] : [],
  );
  const files = ['prometheus/alerts.yaml', 'kubernetes/prometheus-adapter.yaml'];
  return new Map([...named, ...files.map((path) => [path, namesIn(readDeployFile(path))] as const)]);
}

/** Metrics of the service and of Node, without the endings that a histogram's series have. */
export function namesIn(text: string): readonly string[] {
  const names = text.match(/\b(lynceus_(?!inference_queue_wait_mean)|nodejs_|process_)\w+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}

/** What a service exposes, by the lines that give each metric its type. */
export function metricsExposed(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
}
