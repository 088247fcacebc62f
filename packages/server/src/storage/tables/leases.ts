import { number, table, text } from './define-table.js';
/** Work of which there is one at a time in all services on the database; see `storage/leases/`. */
export const lease = table(
  {
    name: text().primaryKey(),
    /** Of the process that has it. */
    owner: text(),
    /** Greater with each taking. */
    epoch: number(),
    /** From then on another may take it. */
    leased_until: number(),
  },
  { kept: 'of the service, for as long as work is under way' },
);
