import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#bench/free-port.js';
import { examplesDir } from './use-examples.js';

/** An object that the flow shows. */
export interface FlowObject {
  readonly title: string;
  readonly score: number;
  readonly box: Readonly<Record<'x1' | 'y1' | 'x2' | 'y2', number>>;
}

const cacheDir = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
const program = join(cacheDir, 'lynceus-tests/node-red/node_modules/node-red/red.js');

/** Whether Node-RED is where .ci/install-programs puts it. Where CI is set it must be, and a test without it fails. */
export function haveNodeRed(): boolean {
  if (existsSync(program) || process.env['CI'] === 'true') return true;
  console.warn(`skipped: there is no ${program} (.ci/install-programs puts Node-RED there)`);
  return false;
}

/** Runs the flow without the editor, with two nodes more that write what it found into a file. */
export async function runFlow(
  dir: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly FlowObject[]> {
  const userDir = await mkdtemp(join(dir, 'node-red-'));
  const found = join(userDir, 'found.json');
  const flow = join(userDir, 'flow.json');
  const nodes: readonly FlowNode[] = JSON.parse(
    await readFile(join(examplesDir, 'node-red/flow.json'), 'utf8'),
  );
  await writeFile(flow, JSON.stringify([...nodes.map(alsoToTest), ...writingNodes(found)]));
  const options = ['--userDir', userDir, '--port', String(await freePort()), '-D', 'disableEditor=true'];
  const child = spawn(process.execPath, [program, ...options, flow], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const hear = (text: string) => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  const gone = new Promise((resolve) => child.once('close', resolve));
  try {
    for (;;) {
      const written = existsSync(found) ? await readFile(found, 'utf8') : '';
      if (written !== '') return JSON.parse(written);
      const hasFailed = child.exitCode !== null || output.includes('[error]');
      if (hasFailed) throw new Error(`Node-RED wrote nothing:\n${output}`);
      await sleep(50);
    }
  } finally {
    child.kill();
    await gone;
  }
}

interface FlowNode {
  readonly id: string;
  readonly wires?: readonly (readonly string[])[];
}

function alsoToTest(node: FlowNode): FlowNode {
  if (node.id !== 'lynceus-objects') return node;
  return { ...node, wires: (node.wires ?? []).map((to) => [...to, 'test-json']) };
}

/** The file appears empty; its some hundred bytes then come in one piece. */
function writingNodes(path: string) {
  const file = { filename: path, filenameType: 'str', appendNewline: false, overwriteFile: 'true' };
  return [
    {
      id: 'test-json',
      type: 'json',
      z: 'lynceus-flow',
      property: 'payload',
      action: 'str',
      wires: [['test-file']],
    },
    { id: 'test-file', type: 'file', z: 'lynceus-flow', ...file, wires: [[]] },
  ];
}
