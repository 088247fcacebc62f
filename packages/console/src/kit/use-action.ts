import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useShowError } from './error-text.js';

/** A mutation that a button starts: a notice says why it failed. */
export function useAction<Data, Variables = void>(
  options: Omit<UseMutationOptions<Data, Error, Variables>, 'onError'>,
) {
  const onError = useShowError();
  return useMutation({ ...options, onError });
}
