/**
 * The one catalogue of errors that leave the service. `v1` is the message in a v1 `status`, `v2` the number in a v2
 * `status`; `retryAfterSeconds` stands where trying again later makes sense. `docs/errors.md` is held to this table by
 * a test.
 */
export const errorCatalogue = {
  wrong_parameters: { http: 400, v1: 'Error (Wrong Parameters)', v2: -4 },
  invalid_model: { http: 400, v1: 'Error (Wrong Parameters)', v2: -2 },
  no_file: { http: 400, v1: 'Error (No File)', v2: -3 },
  invalid_image_text: { http: 400, v1: 'Error (Wrong Parameters)', v2: -3 },
  bad_request: { http: 400, v1: 'Error (Wrong Parameters)', v2: -4 },
  invalid_api_key: { http: 401, v1: 'Error (Invalid API Key)', v2: -1 },
  wrong_sign_in: { http: 401, v1: 'Error (Not Allowed)', v2: -4 },
  code_needed: { http: 401, v1: 'Error (Not Allowed)', v2: -4 },
  not_signed_in: { http: 401, v1: 'Error (Not Allowed)', v2: -4 },
  csrf: { http: 403, v1: 'Error (Not Allowed)', v2: -4 },
  weak_password: { http: 400, v1: 'Error (Wrong Parameters)', v2: -4 },
  no_such_link: { http: 404, v1: 'Error (Not Found)', v2: -4 },
  trial_limit: { http: 429, v1: 'Error (You Have Reached Your Trial API Call limit)', v2: -5 },
  not_allowed: { http: 403, v1: 'Error (Not Allowed)', v2: -4 },
  key_limit: { http: 429, v1: 'Error (You Have Reached Your Trial API Call limit)', v2: -5 },
  too_many_requests: { http: 429, v1: 'Error (Too Many Requests)', v2: -7, retryAfterSeconds: 1 },
  file_too_large: { http: 413, v1: 'Error (File Too Large)', v2: -6 },
  unsupported_image: { http: 415, v1: 'Error (Unsupported Image)', v2: -3 },
  unsupported_video: { http: 415, v1: 'Error (Unsupported Image)', v2: -3 },
  model_refused: { http: 422, v1: 'Error (Wrong Parameters)', v2: -4 },
  address_not_allowed: { http: 403, v1: 'Error (Image Address Not Allowed)', v2: -8 },
  address_not_reachable: { http: 502, v1: 'Error (Image Address Not Reachable)', v2: -8 },
  service_busy: { http: 503, v1: 'Error (Service Busy)', v2: -7, retryAfterSeconds: 1 },
  model_too_large: { http: 503, v1: 'Error (Service Busy)', v2: -7, retryAfterSeconds: 60 },
  model_missing: { http: 503, v1: 'Error (Service Busy)', v2: -7, retryAfterSeconds: 60 },
  internal_error: { http: 500, v1: 'Error (Internal Error)', v2: 0 },
  not_found: { http: 404, v1: 'Error (Not Found)', v2: -4 },
  method_not_allowed: { http: 405, v1: 'Error (Method Not Allowed)', v2: -4 },
  conflict: { http: 409, v1: 'Error (Conflict)', v2: -4 },
  labels_changed: { http: 412, v1: 'Error (Conflict)', v2: -4 },
  range_not_satisfiable: { http: 416, v1: 'Error (Wrong Parameters)', v2: -4 },
  account_full: { http: 409, v1: 'Error (Conflict)', v2: -4 },
  no_space: { http: 507, v1: 'Error (Service Busy)', v2: -7 },
  request_timeout: { http: 408, v1: 'Error (Request Timeout)', v2: -4 },
} as const satisfies Record<string, ErrorEntry>;

export interface ErrorEntry {
  readonly http: number;
  readonly v1: string;
  readonly v2: number;
  readonly retryAfterSeconds?: number;
}

export type ErrorCode = keyof typeof errorCatalogue;
