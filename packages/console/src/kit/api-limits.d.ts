/** Limits of the fields of a request or of a schema, out of the API's document: see api-limits.js of this package. */
declare module 'api-limits:*' {
  const limits: import('./field-limits.js').ApiLimits;
  export default limits;
}
