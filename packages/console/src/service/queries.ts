import { LynceusError } from '@lynceus/client';
import { QueryClient } from '@tanstack/react-query';
import { sessionKey } from './session.js';

const maxRetries = 3;

/** Answers are cached briefly; requests are retried while the service restarts; an ended session leads to the sign-in. */
export function createQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (failures, error) => failures < maxRetries && isTransient(error),
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5000),
      },
    },
  });
  // On the caches, since pages replace error handlers of single queries.
  queries.getQueryCache().config.onError = (error) => endWhenSignedOut(queries, error);
  queries.getMutationCache().config.onError = (error) => endWhenSignedOut(queries, error);
  return queries;
}

function isTransient(error: Error): boolean {
  return error instanceof LynceusError && (error.httpStatus === null || error.httpStatus >= 500);
}

function endWhenSignedOut(queries: QueryClient, error: Error): void {
  if (error instanceof LynceusError && error.code === 'not_signed_in') queries.setQueryData(sessionKey, null);
}
