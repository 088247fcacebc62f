/** Changes of a perception that are remembered; an index further behind reads all its faces again. */
const changesKept = 10_000;

/**
 * Triggers that count and list the changes to each perception's faces, so that an index in any program's memory sees in one read
 * what it has missed: nobody who changes faces can forget to.
 */
export function listChanges(isSqlite: boolean): readonly string[] {
  return isSqlite ? sqliteTriggers() : postgresTriggers();
}

interface Trigger {
  readonly name: string;
  readonly on: string;
  /** The row that tells which image it is. */
  readonly row: 'old' | 'new';
  readonly image: 'image_id' | 'id';
  readonly when?: string;
}

const triggers: readonly Trigger[] = [
  { name: 'face_embedding_added', on: 'insert on face_embedding', row: 'new', image: 'image_id' },
  { name: 'face_embedding_changed', on: 'update of vector on face_embedding', row: 'new', image: 'image_id' },
  // Not where the image went first and took it along: then it is listed already.
  { name: 'face_embedding_removed', on: 'delete on face_embedding', row: 'old', image: 'image_id' },
  { name: 'face_image_removed', on: 'delete on face_image', row: 'old', image: 'id' },
  {
    name: 'face_image_moved',
    on: 'update of person_id, perception_id on face_image',
    row: 'new',
    image: 'id',
  },
  {
    name: 'face_image_left',
    on: 'update of perception_id on face_image',
    row: 'old',
    image: 'id',
    when: 'old.perception_id <> new.perception_id',
  },
];

/** The perception of the image that a trigger is about. */
function perceptionOf({ row, image }: Trigger): string {
  if (image === 'id') return `${row}.perception_id`;
  return `(select perception_id from face_image where account_id = ${row}.account_id and id = ${row}.image_id)`;
}

function sqliteTriggers(): readonly string[] {
  return triggers.map((trigger) => {
    const { name, on, row, image, when } = trigger;
    const perception = `account_id = ${row}.account_id and id = ${perceptionOf(trigger)}`;
    return `
      create trigger ${name} after ${on} for each row ${when ? `when ${when}` : ''} begin
        update perception set face_changes = face_changes + 1 where ${perception};
        insert into face_change (account_id, perception_id, change, image_id)
          select account_id, id, face_changes, ${row}.${image} from perception where ${perception};
        delete from face_change
          where account_id = ${row}.account_id and perception_id = ${perceptionOf(trigger)}
            and change <= (select face_changes from perception where ${perception}) - ${changesKept};
      end`;
  });
}

/** The row of the perception, locked until the commit, makes changes of one perception commit in the order of their numbers. */
function postgresTriggers(): readonly string[] {
  return [
    `create function list_face_change(of_account bigint, of_perception bigint, of_image bigint) returns void
     language plpgsql as $$
     declare number bigint;
     begin
       update perception set face_changes = face_changes + 1
         where account_id = of_account and id = of_perception returning face_changes into number;
       if number is null then return; end if;
       insert into face_change (account_id, perception_id, change, image_id)
         values (of_account, of_perception, number, of_image);
       delete from face_change
         where account_id = of_account and perception_id = of_perception and change <= number - ${changesKept};
     end $$`,
    ...triggers.flatMap((trigger) => {
      const { name, on, row, image, when } = trigger;
      return [
        `create function ${name}() returns trigger language plpgsql as $$
         begin
           perform list_face_change(${row}.account_id, ${perceptionOf(trigger)}, ${row}.${image});
           return null;
         end $$`,
        `create trigger ${name} after ${on} for each row ${when ? `when (${when})` : ''} execute function ${name}()`,
      ];
    }),
  ];
}
