import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import fc from 'fast-check';
import { password, user } from '#server/drops/ftp/fixtures/test-ftp.js';

/** What a client does next. */
export type FtpStep =
  /** A line, whose answer is waited for or not. */
  | { readonly do: 'say'; readonly bytes: Buffer; readonly waits: boolean }
  /** Connects to the last announced port, sends that, and ends well or not. */
  | { readonly do: 'connect'; readonly content: string; readonly how: 'end' | 'reset' | 'stay' };

const name = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom('a', 'b.jpg', 'b.tmp', 'DCIM', 'a/b', '/incoming/a', '/done', '/done/c'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '/',
      '.',
      '..',
      '../../x',
      '*',
      '-la',
      '*.jpg',
      '',
      ' ',
      'a\0b',
      'x'.repeat(300),
      '\xff',
      '\xe9',
    ),
  },
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const named =
  'STOR RETR APPE STOU LIST NLST MLSD MLST STAT CWD MKD RMD DELE RNFR RNTO SIZE MDTM XMKD XRMD'.split(' ');
const bare = 'PASV EPSV PWD CDUP NOOP ABOR FEAT HELP SYST STAT LIST STOU REIN CCC QUIT'.split(' ');
const fixed = [
  'TYPE A',
  'TYPE I',
  'TYPE L 8',
  'TYPE',
  'MODE Z',
  'STRU F',
  'REST 0',
  'REST 3',
  'REST 99999999',
  'EPSV ALL',
  'EPSV 2',
  'PORT 127,0,0,1,4,1',
  'EPRT |1|127.0.0.1|6275|',
  'OPTS UTF8 ON',
  'OPTS MLST size;',
  'HOST a.example',
  'PBSZ 0',
  'PROT P',
  'PROT C',
  'AUTH TLS',
  'SITE CHMOD 1 x',
  'ALLO 3',
  'USER nobody',
  'PASS wrong',
  'PASS',
];
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(fc.constantFrom(...named), name).map(([verb, text]) => `${verb} ${text}`),
  },
  { weight: 3, arbitrary: fc.constantFrom(...bare) },
  { weight: 3, arbitrary: fc.constantFrom(...fixed) },
  { weight: 2, arbitrary: fc.constant(`USER ${user}`) },
  { weight: 2, arbitrary: fc.constant(`PASS ${password}`) },
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const line = fc
  .tuple(command, fc.constantFrom('\r\n', '\n', '\r\n'))
  .map(([text, end]) => Buffer.from(text.replace(/[\r\n]/g, '') + end));
const said = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('say' as const), bytes: line, waits: fc.boolean() }) },
  fc.record({
    do: fc.constant('say' as const),
    bytes: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    waits: fc.constant(false),
  }),
);
const connected = fc.record({
  do: fc.constant('connect' as const),
  content: fc.string({ maxLength: 30 }),
  how: fc.constantFrom('end' as const, 'end' as const, 'reset' as const, 'stay' as const),
});
const say = (text: string, waits = true): FtpStep => ({
  do: 'say',
  bytes: Buffer.from(`${text}\r\n`),
  waits,
});
/** A whole transfer, as a client makes it; the last steps may be missing, and others may come between. */
const transfer = fc
  .tuple(
    fc.constantFrom('EPSV', 'PASV'),
    connected,
    fc.constantFrom('STOR b.tmp', 'STOR b.jpg', 'APPE a', 'STOU', 'RETR b.jpg', 'LIST', 'NLST *', 'MLSD /'),
    fc.boolean(),
    fc.nat({ max: 3 }),
  )
  .map(([agree, step, verb, waits, count]): FtpStep[] =>
    [say(agree), step, say(verb, waits)].slice(0, count === 0 ? 2 : 3),
  );
const few = fc.oneof(
  { weight: 6, arbitrary: said.map((step): FtpStep[] => [step]) },
  { weight: 1, arbitrary: connected.map((step): FtpStep[] => [step]) },
  { weight: 2, arbitrary: transfer },
);

/** Half of them after a log-in. */
export const ftpSteps: fc.Arbitrary<readonly FtpStep[]> = fc
  .tuple(fc.boolean(), fc.array(few, { maxLength: 12 }))
  .map(([logsIn, steps]) => [
    ...(logsIn ? [say(`USER ${user}`), say(`PASS ${password}`)] : []),
    ...steps.flat(),
  ]);

const wholeReply = /^\d{3}(?: [^\r\n]*\r\n|-[^\r\n]*\r\n(?: [^\r\n]*\r\n)*\d{3} [^\r\n]*\r\n)/;

/**
 * Takes the steps, says QUIT and leaves. Answers all that was said; throws when a reply that is waited for does not come, or what
 * comes is none.
 */
export async function takeSteps(stream: Duplex, steps: readonly FtpStep[]): Promise<readonly string[]> {
  const replies: string[] = [];
  const datas: Socket[] = [];
  let text = '';
  let port = 0;
  let isOver = false;
  let wake: (() => void) | null = null;
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    for (let match = wholeReply.exec(text); match; match = wholeReply.exec(text)) {
      text = text.slice(match[0].length);
      replies.push(match[0]);
      port = Number(/\|\|\|(\d+)\|/.exec(match[0])?.[1] ?? port);
      const [, high, low] = /^227 .*,(\d+),(\d+)\)/.exec(match[0]) ?? [];
      if (high && low) port = Number(high) * 256 + Number(low);
    }
    wake?.();
  });
  const end = () => {
    isOver = true;
    wake?.();
  };
  stream.on('end', end).on('close', end);
  const hear = async (count: number): Promise<void> => {
    const finals = () => replies.filter((reply) => !reply.startsWith('1')).length;
    const deadline = Date.now() + 60_000;
    while (!isOver && finals() < count) {
      if (Date.now() > deadline) throw new Error(`No answer after ${JSON.stringify(replies.at(-1))}.`);
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, 1000).unref();
      });
    }
  };
  await hear(1);
  for (const step of steps) {
    if (isOver) break;
    if (step.do === 'say') {
      const finals = replies.filter((reply) => !reply.startsWith('1')).length;
      stream.write(step.bytes);
      if (step.waits && /^ *[A-Za-z]/.test(step.bytes.toString('latin1'))) await hear(finals + 1);
    } else if (port > 0) {
      const data = connect(port, '127.0.0.1').on('error', () => undefined);
      datas.push(data);
      data.resume();
      data.write(step.content);
      if (step.how === 'end') data.end();
      if (step.how === 'reset') data.once('connect', () => data.resetAndDestroy());
    }
  }
  stream.write('\r\nQUIT\r\n');
  const deadline = Date.now() + 60_000;
  while (!isOver) {
    if (Date.now() > deadline) throw new Error(`It does not end after ${JSON.stringify(replies.at(-1))}.`);
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, 1000).unref();
    });
  }
  for (const data of datas) data.destroy();
  if (text !== '') throw new Error(`Half an answer: ${JSON.stringify(text)}`);
  return replies;
}
