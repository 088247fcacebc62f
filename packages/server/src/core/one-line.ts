/**
 * Text that is sent to other programs: without control characters, since a line break ends a header of HTTP and a command of FTP, and
 * without halves of characters (lone surrogates), which no address and no header can have.
 */
export const oneLine = '^([^\\u0000-\\u001f\\u007f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$';
