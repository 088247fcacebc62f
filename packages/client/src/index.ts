/** The version of this client, as sent in its requests. */
export const clientVersion = '0.1.0';
