/**
 * What a data connection may hold while the disk is busy. The disk is written to in pieces of up to this size, while the next one
 * arrives: with 64 KiB instead a large file takes more than twice the time. Only who is logged in has data connections, one each.
 */
export const readAheadBytes = 1024 * 1024;
