import type { Job } from '@lynceus/client';
import { useEffect, useRef } from 'react';
import { isUnderWay } from '../kit/use-job.js';
import { useRenewDataset } from './queries.js';

/** Images come in while a job runs; all of them are there once it has ended. */
export function useRenewWhenDone(datasetId: number, job: Job): void {
  const renew = useRenewDataset(datasetId);
  const renewNow = useRef(renew);
  renewNow.current = renew;
  const wasUnderWay = useRef(false);
  const isGoing = isUnderWay(job);
  useEffect(() => {
    if (wasUnderWay.current && !isGoing) renewNow.current();
    wasUnderWay.current = isGoing;
  }, [isGoing]);
}
