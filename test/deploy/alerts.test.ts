import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createMetrics } from '#server/core/metrics.js';
import { haveProgram } from '../support/have-program.js';
import { metricsExposed, metricsNamedInDeployFiles, namesIn, readPanels } from './dashboard.js';
import { deployDir, readDeployFile } from './deploy-files.js';

interface Rules {
  readonly groups: readonly {
    readonly name: string;
    readonly rules: readonly {
      readonly alert: string;
      readonly annotations: Readonly<Record<string, string>>;
    }[];
  }[];
}
interface Cases {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly unknown[];
    }[];
  }[];
}

const rules: Rules = parse(readDeployFile('prometheus/alerts.yaml'));
const casesOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)), 'utf8');
const caseFiles = ['alert-cases.yaml', 'alert-cases-of-days.yaml'];

/** What a service exposes at /metrics; of what it counts by labels, no series is there before the first. */
function render(): Promise<string> {
  const metrics = createMetrics();
  metrics.watchProcess();
  const idle = { queued: {}, processes: [], crashed: 0, recycled: 0, outgrown: 0, timeouts: 0 };
  metrics.watchInference(() => idle);
  metrics.faceIndex.watch(() => ({ galleries: 0, faces: 0, bytes: 0 }));
  return metrics.render();
}

test('dashboard, rules and their cases name metrics that are exposed, and the dashboard shows all of the service', async () => {
  const exposed = metricsExposed(await render());
  const cases = caseFiles.map((name) => [name, namesIn(casesOf(name))] as const);
  const named = [...metricsNamedInDeployFiles(), ...cases];
  for (const [where, names] of named) {
    expect(names.length, where).toBeGreaterThan(0);
    const unknown = names.filter((name) => !exposed.has(name));
    expect(unknown, where).toEqual([]);
  }
  const shown = new Set(
    readPanels().flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr))),
  );
  const own = [...exposed].filter((name) => name.startsWith('lynceus_'));
  expect(own.filter((name) => !shown.has(name))).toEqual([]);
});

test('rules select gauges by values that their labels have', async () => {
  const text = await render();
  const selected = [
    ...readDeployFile('prometheus/alerts.yaml').matchAll(/(lynceus_\w+)\{(\w+)=~?"([^"]+)"/g),
  ];
  const ofGauges = selected.filter(([, name]) => text.includes(`# TYPE ${name} gauge`));
  expect(ofGauges.length).toBeGreaterThan(2);
  for (const [, name, label, values = ''] of ofGauges) {
    const series = text.split('\n').filter((line) => line.startsWith(`${name}{`));
    for (const value of values.split('|')) expect(series.join('\n'), name).toContain(`${label}="${value}"`);
  }
});

test('every alert has a case in which it fires, a summary, and what to do', () => {
  const tests = caseFiles.flatMap((name) => (parse(casesOf(name)) as Cases).tests);
  const firing = tests.flatMap(({ alert_rule_test: each }) =>
    each.flatMap(({ alertname, exp_alerts: expected }) => (expected.length > 0 ? [alertname] : [])),
  );
  const alerts = rules.groups.flatMap((group) => group.rules);
  expect(alerts.map(({ alert }) => alert).sort()).toEqual([...new Set(firing)].sort());
  for (const { annotations } of alerts)
    expect(annotations).toEqual({ summary: expect.any(String), description: expect.any(String) });
});

describe.skipIf(!haveProgram('promtool', ['--version'], 'prometheus'))('promtool', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lynceus-alerts-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));
  const promtool = async (...words: string[]) => {
    const { stdout } = await promisify(execFile)('promtool', words, { cwd: dir });
    return stdout;
  };

  test('accepts the configuration and the rules', async () => {
    const found = await promtool('check', 'config', join(deployDir, 'prometheus/prometheus.yaml'));
    expect(found).toContain(`SUCCESS: ${rules.groups.flatMap((group) => group.rules).length} rules found`);
  });

  test('finds that each alert fires where it should, and nowhere else', async () => {
    // The cases are about when; what the texts say would have to be repeated in each.
    const withoutTexts = rules.groups.map((group) => ({
      ...group,
      rules: group.rules.map(({ annotations: _, ...rule }) => rule),
    }));
    await writeFile(join(dir, 'alerts.yaml'), stringify({ groups: withoutTexts }));
    await Promise.all(caseFiles.map((name) => writeFile(join(dir, name), casesOf(name))));
    expect(await promtool('test', 'rules', ...caseFiles)).toMatch(/SUCCESS[\s\S]*SUCCESS/);
  });

  test('understands every expression of the dashboard', async () => {
    const expressions = readPanels().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(expressions.length).toBeGreaterThan(30);
    const recorded = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '1m'),
    }));
    await writeFile(join(dir, 'panels.yaml'), stringify({ groups: [{ name: 'panels', rules: recorded }] }));
    expect(await promtool('check', 'rules', 'panels.yaml')).toContain(`${expressions.length} rules found`);
  });
});
