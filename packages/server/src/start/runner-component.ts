import type { ProcessRunner, RunnerEvent } from '@lynceus/engine';
import type { Component } from '../core/lifecycle.js';
import type { Logger } from '../core/logger.js';

/**
 * The inference processes as a part. Doors drain before it stops, so whatever is left then has run out of time.
 * @param builtin those of the built-in models, which are always there
 * @param meanwhile what this process gets ready while those load their models
 */
export function createRunnerComponent(
  runner: ProcessRunner,
  builtin: Pick<ProcessRunner, 'stats'>,
  meanwhile: () => Promise<void> = async () => {},
): Component {
  return {
    name: 'inference',
    async start() {
      await Promise.all([runner.start(), meanwhile()]);
    },
    isReady() {
      const ready = builtin.stats().processes.some((process) => process.state !== 'starting');
      return ready ? true : 'no inference process is up';
    },
    stop: () => runner.close(),
  };
}

/** @param event with the pool that it is of, where that is not the built-in models' */
export function logRunnerEvent(logger: Logger, event: RunnerEvent & { readonly pool?: 'custom' }): void {
  const { type, ...fields } = event;
  switch (type) {
    case 'started':
      logger.debug(fields, 'an inference process is up');
      if (event.int8 === 'inexact')
        logger.warn(fields, 'this CPU does not run models with 8-bit weights exactly');
      return;
    case 'recycled':
      logger.info(fields, 'an inference process grew too large and was replaced');
      return;
    case 'idle-ended':
      logger.debug(fields, 'an idle inference process was ended');
      return;
    case 'outgrown':
      logger.warn(fields, 'a job took more memory than it may; its inference process was ended');
      return;
    case 'timeout':
      logger.warn(fields, 'a job ran past its time; its inference process was ended');
      return;
    case 'process-crashed':
      logger.error(fields, 'inference process crashed');
      return;
    case 'fault':
      logger.error(fields, 'a fault in an inference process');
      return;
    case 'warm-up':
      logger.warn(fields, 'an inference process could not load a model ahead of time');
      return;
  }
}
