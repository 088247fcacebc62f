import { expect, test } from 'vitest';
import { haveProgram } from '../support/have-program.js';
import { runSftpClient } from './run-sftp-client.js';

interface Row {
  readonly name: string;
  readonly command: string;
  readonly program: string;
  /** Files that it sends, without those that only some clients can. */
  readonly sent: readonly string[];
  readonly isHere: boolean;
}
const python = '/usr/bin/python3';
const usual = ['sent.jpg', 'DCIM/100/sent.jpg', 'renamed.jpg'];
const haveOpenSsh = haveProgram('which', ['sftp'], 'openssh-client');
const clients: readonly Row[] = [
  {
    ...{ name: 'OpenSSH sftp', command: 'sh', program: 'openssh_sftp.sh', isHere: haveOpenSsh },
    sent: [...usual, 'resumed.jpg', 'appended.jpg', 'synced.jpg', 'tree/sub/two.jpg'],
  },
  {
    ...{ name: 'OpenSSH scp', command: 'sh', program: 'openssh_scp.sh', isHere: haveOpenSsh },
    sent: ['sent.jpg', 'DCIM/100/sent.jpg', 'DCIM/100/renamed.jpg'],
  },
  {
    ...{ name: 'lftp', command: 'sh', program: 'lftp.sh' },
    isHere: haveOpenSsh && haveProgram('lftp', ['--version'], 'lftp'),
    sent: [...usual, 'resumed.jpg', 'mirrored/sub/two.jpg'],
  },
  {
    ...{ name: 'curl', command: 'sh', program: 'curl.sh' },
    isHere: haveProgram('curl', ['--version'], 'curl'),
    sent: [...usual, 'resumed.jpg'],
  },
  {
    ...{ name: 'rclone', command: 'sh', program: 'rclone.sh' },
    isHere: haveProgram('rclone', ['version'], 'rclone'),
    sent: [...usual, 'mirrored/sub/two.jpg'],
  },
  {
    ...{ name: 'PuTTY psftp', command: 'sh', program: 'psftp.sh' },
    isHere: haveOpenSsh && haveProgram('psftp', ['-V'], 'putty-tools'),
    sent: [...usual, 'resumed.jpg'],
  },
  {
    ...{ name: 'paramiko', command: python, program: 'paramiko_client.py' },
    isHere: haveProgram(python, ['-c', 'import paramiko'], 'python3-paramiko'),
    sent: [...usual, 'resumed.jpg', 'appended.jpg'],
  },
  {
    ...{ name: 'ssh2-sftp-client', command: process.execPath, program: 'ssh2_sftp_client.mjs' },
    isHere: haveOpenSsh,
    sent: [...usual, 'resumed.jpg', 'appended.jpg', 'fast.jpg'],
  },
];

test.each(clients.filter(({ isHere }) => isHere))(
  '$name uploads, lists, resumes and renames',
  {
    timeout: 300_000,
  },
  async ({ name, command, program, sent }) => {
    const { outcomes, folders, image } = await runSftpClient(command, program);
    for (const [step, outcome] of outcomes) console.log(`${name} | ${step} | ${outcome}`);
    expect([...outcomes].filter(([, outcome]) => outcome !== 'done')).toEqual([]);
    expect(outcomes.size).toBeGreaterThanOrEqual(6);
    for (const file of sent) expect(folders.content(`/incoming/${file}`)?.equals(image), file).toBe(true);
    const arrived = folders.arrived.map(({ path }) => path);
    expect(arrived).toEqual(expect.arrayContaining(sent.map((file) => `/incoming/${file}`)));
    expect(folders.openUploads).toBe(0);
  },
);
