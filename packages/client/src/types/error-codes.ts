/** What the service answers as the code of an error; docs/errors.md tells when. */
export type ServiceErrorCode =
  | 'wrong_parameters'
  | 'invalid_model'
  | 'no_file'
  | 'invalid_image_text'
  | 'bad_request'
  | 'invalid_api_key'
  | 'wrong_sign_in'
  | 'code_needed'
  | 'not_signed_in'
  | 'csrf'
  | 'weak_password'
  | 'no_such_link'
  | 'trial_limit'
  | 'not_allowed'
  | 'key_limit'
  | 'too_many_requests'
  | 'file_too_large'
  | 'unsupported_image'
  | 'model_refused'
  | 'address_not_allowed'
  | 'address_not_reachable'
  | 'service_busy'
  | 'model_too_large'
  | 'internal_error'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'labels_changed'
  | 'account_full'
  | 'no_space'
  | 'request_timeout';

/**
 * What this client says by itself: the time of the call ran out, its signal fired, no answer came, or an answer that is
 * not the service's, such as the page of a proxy.
 */
export type ClientErrorCode = 'timeout' | 'aborted' | 'network_error' | 'unreadable_answer';
