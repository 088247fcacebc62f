import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Settings } from '../../core/settings.js';
import { defaultExiftoolOptions, startExiftool } from '../../drops/keywords/exiftool.js';
import { findFfmpeg } from '../../streams/decoding/find-ffmpeg.js';
import { type Finding, fine, notice, reasonOf } from './finding.js';

const run = promisify(execFile);

/** Programs of the system, which some of the service needs: each is missed when it is used. */
export async function examinePrograms({
  ffmpegPath,
  dataDir,
}: Pick<Settings, 'ffmpegPath' | 'dataDir'>): Promise<readonly Finding[]> {
  return [await examinePerl(), await examineFfmpeg(ffmpegPath, dataDir), await examineGuards()];
}

async function examinePerl(): Promise<Finding> {
  const exiftool = startExiftool({ ...defaultExiftoolOptions, processes: 1 });
  try {
    return fine('keywords', `exiftool ${await exiftool.checkAvailable()} by perl`);
  } catch (error) {
    return notice('keywords', `drops cannot write keywords: ${reasonOf(error)}`);
  } finally {
    await exiftool.close();
  }
}

async function examineFfmpeg(path: string, dataDir: string): Promise<Finding> {
  try {
    const { version, view } = await findFfmpeg(path, [dataDir]);
    const sees = view.length > 0 ? 'it sees a read-only machine' : 'this system gives it no view of its own';
    return fine('ffmpeg', `${version}; ${sees}`);
  } catch (error) {
    return notice('ffmpeg', `live streams and videos are off: ${reasonOf(error)}`);
  }
}

async function examineGuards(): Promise<Finding> {
  const programs = ['prlimit', 'setpriv'];
  const found = await Promise.all(
    programs.map((program) =>
      run(program, ['--version']).then(
        () => true,
        () => false,
      ),
    ),
  );
  const missing = programs.filter((_, index) => found[index] === false);
  if (missing.length === 0) return fine('limits', 'prlimit and setpriv are there');
  return notice(
    'limits',
    `${missing.join(' and ')} missing: child processes have fewer limits`,
    'install util-linux',
  );
}
