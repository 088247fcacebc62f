/** What the tests read of the answers; the wire's own tests hold every byte of them. */
export interface V2Answer {
  readonly predictions: readonly {
    readonly class_title: string;
    readonly score: number;
    readonly model_id: string | number;
    readonly coordinates: Readonly<Record<'xmin' | 'ymin' | 'xmax' | 'ymax', number>>;
  }[];
  readonly model_type: string;
  readonly status: number;
}
