/** Triggers that keep what each account has of faces, so that a quota reads one row: nobody who changes faces can forget to. */
export function countFaces(isSqlite: boolean): readonly string[] {
  return isSqlite ? triggers.map(sqliteTrigger) : triggers.flatMap(postgresTrigger);
}

interface Trigger {
  readonly name: string;
  readonly on: string;
  /** What is added to which total. */
  readonly add: Readonly<Partial<Record<'people' | 'images' | 'image_bytes' | 'corrections', string>>>;
}

const triggers: readonly Trigger[] = [
  { name: 'face_total_person_added', on: 'insert on person', add: { people: '1' } },
  { name: 'face_total_person_removed', on: 'delete on person', add: { people: '-1' } },
  {
    name: 'face_total_image_added',
    on: 'insert on face_image',
    add: { images: '1', image_bytes: 'new.image_bytes' },
  },
  {
    name: 'face_total_image_removed',
    on: 'delete on face_image',
    add: { images: '-1', image_bytes: '-old.image_bytes' },
  },
  {
    name: 'face_total_image_changed',
    on: 'update of image_bytes on face_image',
    add: { image_bytes: 'new.image_bytes - old.image_bytes' },
  },
  { name: 'face_total_correction_added', on: 'insert on face_correction', add: { corrections: '1' } },
  { name: 'face_total_correction_removed', on: 'delete on face_correction', add: { corrections: '-1' } },
];

/** An account whose rows go with it has no totals left to change. */
function changeOf({ on, add }: Trigger): string {
  const [columns, values] = [Object.keys(add), Object.values(add)];
  const sums = columns.map((column, at) => `${column} = face_total.${column} + ${values[at]}`).join(', ');
  if (!on.startsWith('insert')) return `update face_total set ${sums} where account_id = old.account_id`;
  return `insert into face_total (account_id, ${columns.join(', ')}) values (new.account_id, ${values.join(', ')})
    on conflict (account_id) do update set ${sums}`;
}

function sqliteTrigger(trigger: Trigger): string {
  return `create trigger ${trigger.name} after ${trigger.on} for each row begin ${changeOf(trigger)}; end`;
}

/** At the commit, where the row of the totals is the last that a unit locks: two units never wait for each other in a circle. */
function postgresTrigger(trigger: Trigger): readonly string[] {
  const { name, on } = trigger;
  return [
    `create function ${name}() returns trigger language plpgsql as $$
     begin
       ${changeOf(trigger)};
       return null;
     end $$`,
    `create constraint trigger ${name} after ${on} deferrable initially deferred
     for each row execute function ${name}()`,
  ];
}
