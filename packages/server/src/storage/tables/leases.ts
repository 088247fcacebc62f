/** Work of which there is one at a time in all services on the database; see `storage/leases/`. */
export interface LeaseTable {
  name: string;
  /** Of the process that has it. */
  owner: string;
  /** Greater with each taking. */
  epoch: number;
  /** From then on another may take it. */
  leased_until: number;
}
