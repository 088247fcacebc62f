import { describe, expect, test } from 'vitest';
import { haveProgram } from '../support/have-program.js';
import { type Mode, modes, runFtpClient } from './run-ftp-client.js';

const plain = modes.filter((mode) => mode.startsWith('plain'));
const tls = modes.filter((mode) => mode.startsWith('TLS'));

interface Row {
  readonly name: string;
  readonly command: string;
  readonly program: string;
  readonly modes: readonly Mode[];
  readonly isHere: boolean;
}
const python = '/usr/bin/python3';
const clients: readonly Row[] = [
  {
    name: 'curl',
    command: 'sh',
    program: 'curl.sh',
    modes,
    isHere: haveProgram('curl', ['--version'], 'curl'),
  },
  {
    name: 'lftp',
    command: 'sh',
    program: 'lftp.sh',
    modes,
    isHere: haveProgram('lftp', ['--version'], 'lftp'),
  },
  {
    name: 'basic-ftp',
    command: process.execPath,
    program: 'basic_ftp.mjs',
    modes: ['plain, EPSV', 'plain, IPv6', 'TLS both', 'TLS both, IPv6'],
    isHere: true,
  },
  {
    name: "Python's ftplib",
    command: python,
    program: 'ftplib_client.py',
    modes: ['plain, PASV', 'plain, IPv6', ...tls],
    isHere: haveProgram(python, ['--version'], 'python3'),
  },
  // Debian builds it without TLS, and it knows no IPv6.
  {
    name: 'ncftp',
    command: 'sh',
    program: 'ncftp.sh',
    modes: ['plain, PASV'],
    isHere: haveProgram('which', ['ncftpput'], 'ncftp'),
  },
  // Its put speaks no TLS.
  {
    name: "Debian's ftp",
    command: 'sh',
    program: 'tnftp.sh',
    modes: plain,
    isHere: haveProgram('which', ['tnftp'], 'tnftp'),
  },
];

describe.each(clients.filter(({ isHere }) => isHere))('$name', ({ name, command, program, modes: ways }) => {
  test.each(ways)('uploads, lists, resumes and renames: %s', { timeout: 300_000 }, async (mode) => {
    const { outcomes, folders, image } = await runFtpClient(command, program, mode);
    for (const [step, outcome] of outcomes) console.log(`${name} | ${mode} | ${step} | ${outcome}`);
    expect([...outcomes].filter(([, outcome]) => outcome !== 'done')).toEqual([]);
    expect(outcomes.size).toBeGreaterThanOrEqual(9);
    const names = ['sent.jpg', 'DCIM/100/sent.jpg', 'resumed.jpg', 'renamed.jpg'];
    for (const file of names) expect(folders.content(`/incoming/${file}`)?.equals(image), file).toBe(true);
    const arrived = folders.arrived.map(({ path }) => path);
    expect(arrived).toEqual(expect.arrayContaining(names.map((file) => `/incoming/${file}`)));
    expect(arrived).not.toContain('/incoming/aborted.jpg');
    expect(folders.content('/incoming/old.jpg')).toBeNull();
  });
});
