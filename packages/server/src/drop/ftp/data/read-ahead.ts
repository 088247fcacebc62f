/**
 * What a data connection may hold while the disk is busy. With less, the network waits for the disk after each piece of 64 KiB, and
 * each of them is a write of its own; with more, stalled disks cost memory by the connection.
 */
export const readAheadBytes = 256 * 1024;
