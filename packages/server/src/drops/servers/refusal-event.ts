/** An event for the log, of either protocol: who was not let in. It has no password and no user name. */
export type RefusalEvent =
  | {
      readonly kind: 'connection-refused';
      readonly address: string;
      readonly why: 'connection limit' | 'banned' | 'log-in limit';
    }
  | {
      readonly kind: 'log-in-refused';
      /** Of the service, counted from 1. */
      readonly connection: number;
      readonly address: string;
      readonly isBanned: boolean;
    };
