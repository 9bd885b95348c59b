-- The import takes values of custom fields, and knows contacts without an address by their id; a write of `custom` may name a field by its key.

-- A write of `custom` is a merge patch (RFC 7396, one level): it sets its keys, a key with null is removed, the others stay. So
-- patches of different fields commute. A field is named by its id or by its key, and stored by its id.
-- It runs with the caller's rights: a field of a brand that the caller does not see is unknown.
create or replace function private.merge_custom() returns trigger
language plpgsql
as $$
declare
  v_most constant integer := 8192;
  v_patch jsonb := new.custom;
  v_merged jsonb := case when tg_op = 'UPDATE' then old.custom else '{}' end;
  v_key text;
  v_value jsonb;
  v_field public.custom_fields;
begin
  if tg_op = 'INSERT' and coalesce(current_setting('private.restoring', true), '') <> '' then
    -- As it was. A row that was deleted before there were fields has none.
    new.custom := coalesce(v_patch, '{}');
    return new;
  end if;
  if jsonb_typeof(v_patch) is distinct from 'object' then
    raise exception 'custom is an object: ids of fields with their values.' using errcode = '22023';
  end if;
  if octet_length(v_patch::text) > 65536 or (select count(*) from jsonb_object_keys(v_patch)) > 200 then
    raise exception 'The fields of a record hold at most 8 kB together.' using errcode = '54000';
  end if;
  for v_key, v_value in select * from jsonb_each(v_patch) loop
    if v_key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
      if v_value <> 'null' then
        select * into v_field from public.custom_fields f where f.brand_id = new.brand_id and f."table" = tg_table_name and f.id = v_key::uuid;
      end if;
    else
      select * into v_field from public.custom_fields f where f.brand_id = new.brand_id and f."table" = tg_table_name and f.key = v_key;
    end if;
    -- A null for a field that is not known removes nothing.
    if not found and v_value <> 'null' then
      raise exception 'There is no field % for %.', left(v_key, 60), tg_table_name using errcode = '22023';
    end if;
    if v_value <> 'null' then
      v_key := v_field.id;
      v_value := private.custom_value(v_field, v_value);
    elsif v_key !~ '-' then
      v_key := coalesce(v_field.id::text, v_key);
    end if;
    v_merged := case when coalesce(v_value, 'null') = 'null' then v_merged - v_key else v_merged || jsonb_build_object(v_key, v_value) end;
  end loop;
  if octet_length(v_merged::text) > v_most then
    raise exception 'The fields of a record hold at most 8 kB together.' using errcode = '54000';
  end if;
  new.custom := v_merged;
  return new;
end
$$;

-- THE IMPORT

-- The rows as they are stored. `id` is that of a contact without an address, which nothing else tells from others: the `id` of the row
-- where the brand has such a contact (a file that this app has written), else the same row of the same file has the same id, so that a
-- chunk that is sent again, or a file that is continued, adds nobody twice.
create or replace function private.parse_import(p_brand_id uuid, p_rows jsonb)
returns table (
  place integer, data jsonb, email text, email_norm text, first_name text, last_name text, company text, phone text, title text, id uuid, problem text
)
language sql stable set search_path = ''
as $$
  select t.*, private.import_problem(t.email, t.phone, t.first_name, t.last_name, t.title, t.company)
  from (
    select e.place::integer, e.data, m.email, lower(m.email collate "und-x-icu"), private.name_or_null(e.data ->> 'first_name') as first_name,
      private.name_or_null(e.data ->> 'last_name') as last_name, private.name_or_null(e.data ->> 'company') as company,
      private.trimmed(e.data ->> 'phone') as phone, private.trimmed(e.data ->> 'title') as title,
      -- A UUID of version 8, RFC 9562.
      case when m.email is null then coalesce(
        (select c.id from public.contacts c where c.brand_id = p_brand_id and c.id = case
          when e.data ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (e.data ->> 'id')::uuid end),
        overlay(overlay(md5(p_brand_id || e.data::text) placing '8' from 13) placing '8' from 17)::uuid)
      end
    from jsonb_array_elements(p_rows) with ordinality e (data, place)
    cross join lateral (select private.trimmed(e.data ->> 'email') as email) m
  ) t
$$;

-- The value of a cell as it is stored, or the sentence why it is none of its field. Null and null: nothing was given.
create function private.custom_value_read(p_field public.custom_fields, p_value jsonb, out value jsonb, out reason text)
language plpgsql stable set search_path = ''
as $$
begin
  if p_field.id is null then
    reason := 'There is no such field.';
  else
    value := nullif(private.custom_value(p_field, p_value), 'null');
  end if;
exception when data_exception then
  get stacked diagnostics reason = message_text;
end
$$;

-- The values of custom fields in the rows of an import, at most 200 a row. `custom` of a row has ids or keys of fields. `place` is that of the row.
create function private.imported_custom(p_brand_id uuid, p_rows jsonb)
returns table (place bigint, field_id uuid, label text, value jsonb, reason text)
language sql stable set search_path = ''
as $$
  select r.place, f.id, coalesce(f.label, left(v.key, 60)), c.value, c.reason
  from jsonb_array_elements(p_rows) with ordinality r (data, place)
  cross join lateral (
    select e.key, e.value from jsonb_each(case jsonb_typeof(r.data -> 'custom') when 'object' then r.data -> 'custom' end) e
    where e.value not in ('null', '""') limit 200
  ) v
  left join public.custom_fields f on f.brand_id = p_brand_id and f."table" = 'contacts' and v.key in (f.id::text, f.key)
  cross join lateral private.custom_value_read(f, v.value) c
$$;

-- Gives imported contacts the values of custom fields of their rows. Answers p_answers with what changed: a contact that was unchanged until
-- here is updated, and `left_out_values` tells the values that it did not get: [{ field, reason }].
create function private.add_imported_custom(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_answers jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_most constant integer := 8192;
  v_answers jsonb;
begin
  if not jsonb_path_exists(p_rows, '$[*].custom') then
    return p_answers;
  end if;
  with given as materialized (
    select (a.answer ->> 'id')::uuid as contact_id, g.place, g.field_id, g.label, g.value, g.reason
    from jsonb_array_elements(p_answers) with ordinality a (answer, place)
    join private.imported_custom(p_brand_id, p_rows) g using (place)
    where a.answer ->> 'status' <> 'error'
  ),
  -- Of rows of one contact the later values count.
  patches as materialized (
    select g.contact_id, jsonb_object_agg(g.field_id, g.value order by g.place) as patch
    from given g where g.value is not null group by g.contact_id
  ),
  -- Locked in one order, as by the import.
  locked as materialized (
    select c.id, c.import_id, private.import_rev(c) as rev, private.import_values(c) as previous, p.patch,
      octet_length((c.custom || p.patch)::text) <= v_most as fits
    from patches p join public.contacts c on c.brand_id = (select p_brand_id) and c.id = p.contact_id
    where c.custom || p.patch <> c.custom
    order by c.id for no key update of c
  ),
  kept as (
    insert into private.import_changes as k (brand_id, import_id, contact_id, old_rev, rev, previous)
    select p_brand_id, p_import_id, l.id, l.rev, private.current_rev(), l.previous
    from locked l where l.fits and p_import_id is not null and l.import_id is distinct from p_import_id
    on conflict (brand_id, import_id, contact_id) do update
    set previous = case when excluded.old_rev = k.rev then k.previous else excluded.previous end,
        old_rev = case when excluded.old_rev = k.rev then k.old_rev else excluded.old_rev end,
        goes = k.goes and excluded.old_rev = k.rev,
        rev = excluded.rev
  ),
  updated as (
    -- A merge patch: the other fields stay.
    update public.contacts c set custom = l.patch from locked l where l.fits and c.brand_id = (select p_brand_id) and c.id = l.id returning c.id
  ),
  missing as (
    select g.place, jsonb_agg(jsonb_build_object(
        'field', g.label, 'reason', coalesce(g.reason, 'The fields of a record hold at most 8 kB together.')
      ) order by g.label) as list
    from given g left join locked l on l.id = g.contact_id
    where g.reason is not null or g.value is not null and not l.fits
    group by g.place
  )
  select jsonb_agg(
    a.answer
      || case when a.answer ->> 'status' = 'unchanged' and u.id is not null then '{"status": "updated"}'::jsonb else '{}' end
      || case when m.list is null then '{}' else jsonb_build_object('left_out_values', m.list) end
    order by a.place)
  into v_answers
  from jsonb_array_elements(p_answers) with ordinality a (answer, place)
  left join updated u on u.id = (a.answer ->> 'id')::uuid
  left join missing m on m.place = a.place;
  return v_answers;
end
$$;

-- What the undo of an import gives back.
create or replace function private.import_values(p_contact public.contacts) returns jsonb
language sql immutable
as $$
  select jsonb_build_object(
    'first_name', p_contact.first_name, 'last_name', p_contact.last_name, 'phone', p_contact.phone, 'title', p_contact.title,
    'company_id', p_contact.company_id, 'tag_ids', p_contact.tag_ids,
    'custom', p_contact.custom
  )
$$;

-- Takes the locks of a chunk, in the one order of all chunks and undos: the import, then the contacts that the chunk may change, by id.
create function private.lock_import(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns void
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_ids uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('import ' || p_import_id, 0)) where p_import_id is not null;
  -- Apart from the statement that locks: in it the rows were parsed anew for each contact, as long as the planner knew little of the table.
  v_ids := array(
    select k.id
    from private.parse_import(p_brand_id, p_rows) r cross join lateral (
      -- One index look-up for each row, however large the brand is.
      (select c.id from public.contacts c where c.brand_id = (select p_brand_id) and c.email_norm = r.email_norm limit 1)
      union all
      select r.id where r.id is not null
    ) k
    where r.problem is null
  );
  perform from public.contacts c where c.brand_id = (select p_brand_id) and c.id = any (v_ids) order by c.id for no key update;
end
$$;

-- Rows [{ row, id, email, phone, first_name, last_name, title, company, tags, custom }], at most 1,000, in the order of the file; `tags`
-- are names with commas or semicolons between them, `custom` is { id or key of a field: value }. Answers for each one [{ row, status: created |
-- updated | unchanged | error, id, reason, left_out_tags, left_out_values: [{ field, reason }] }]. Each needs an e-mail address, by
-- which a known contact is found and completed, or a phone number, by which none is; such a row whose `id` is that of a contact gives it
-- tags and custom fields alone. A new contact remembers the import that made
-- it; p_file is the name of its file. A chunk may be sent again: nothing is doubled.
create or replace function public.import_contacts(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_file text default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_attempts constant integer := 5;
  v_by_row boolean := false;
  v_answers jsonb;
begin
  perform private.assert_member(p_brand_id);
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > 1000 then
    raise exception 'p_rows is a list of at most 1000 rows.' using errcode = '22023';
  end if;
  for v_attempt in 1..v_attempts loop
    begin
      perform private.lock_import(p_brand_id, p_import_id, p_rows);
      if v_by_row then
        v_answers := private.import_row_by_row(p_brand_id, p_import_id, p_rows);
      else
        v_answers := private.import_as_set(p_brand_id, p_import_id, p_rows);
      end if;
      v_answers := private.add_imported_tags(p_brand_id, p_import_id, p_rows, v_answers);
      v_answers := private.add_imported_custom(p_brand_id, p_import_id, p_rows, v_answers);
      perform private.note_import(p_brand_id, p_import_id, p_file, v_answers);
      return v_answers;
    exception
      when deadlock_detected then
        -- With a bulk edit. Nothing of the chunk is written, and its locks are released.
        if v_attempt = v_attempts then
          raise;
        end if;
      when others then
        if v_by_row or sqlstate like 'PT%' then
          raise;
        end if;
        -- An unforeseen error of one row: each row by itself.
        raise log 'import_contacts goes row by row after %', sqlstate;
        v_by_row := true;
    end;
  end loop;
end
$$;

-- What import_contacts would change with these rows (as it takes them, at most 5,000) in contacts that are known, in the order of the
-- rows: [{ id, email, before, after }]; `custom` in both is as the contact has it. Of rows with one address the later values count, and the
-- tags of all. Writes nothing.
create or replace function public.preview_import(p_brand_id uuid, p_rows jsonb) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  perform private.assert_member(p_brand_id);
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > 5000 then
    raise exception 'p_rows is a list of at most 5000 rows.' using errcode = '22023';
  end if;
  return (
    with parsed as materialized (
      select r.* from private.parse_import(p_brand_id, p_rows) r where r.problem is null and r.email_norm is not null
    ),
    valued as materialized (
      select r.email_norm, jsonb_object_agg(g.field_id, g.value order by g.place) as custom
      from parsed r join private.imported_custom(p_brand_id, p_rows) g on g.place = r.place
      where g.value is not null group by r.email_norm
    ),
    wanted as materialized (
      select min(r.place) as place, r.email_norm, jsonb_strip_nulls(jsonb_build_object(
          'first_name', (array_agg(r.first_name order by r.place desc) filter (where r.first_name is not null))[1],
          'last_name', (array_agg(r.last_name order by r.place desc) filter (where r.last_name is not null))[1],
          'phone', (array_agg(r.phone order by r.place desc) filter (where r.phone is not null))[1],
          'title', (array_agg(r.title order by r.place desc) filter (where r.title is not null))[1],
          'company', (array_agg(r.company order by r.place desc) filter (where r.company is not null))[1]
        )) as given, array_agg(r.place) as places
      from parsed r
      group by r.email_norm
    ),
    tagged as materialized (
      select m.place, m.name, m.id from private.imported_tags(p_brand_id, p_rows) m
      where m.id is not null or length(m.name) <= 50 and (private.is_service() or p_brand_id = any (array(select private.my_brand_ids('admin'))))
    ),
    known as (
      select w.place, c.id, c.email, private.import_values_read(p_brand_id, private.import_values(c)) as before,
        -- A company that is there already, in its spelling, whatever the case is in the file.
        w.given || jsonb_strip_nulls(jsonb_build_object('company', (
          select o.name from public.companies o
          where o.brand_id = (select p_brand_id) and lower(o.name) = lower((w.given ->> 'company') collate "und-x-icu") order by o.created_at, o.id limit 1
        )))
        -- Tags come beside those that it has.
        || jsonb_strip_nulls(jsonb_build_object('tags', (
          select string_agg(n.name, ', ' order by n.name collate private.by_name)
          from (
            select t.name from public.tags t where t.brand_id = p_brand_id and (
              t.id = any (c.tag_ids) or t.id in (select g.id from tagged g where g.place = any (w.places)))
            union all
            select (array_agg(g.name order by g.place))[1] from tagged g where g.place = any (w.places) and g.id is null group by lower(g.name collate "und-x-icu")
          ) n
        )))
        || jsonb_strip_nulls(jsonb_build_object('custom', case when octet_length((c.custom || v.custom)::text) <= 8192 then c.custom || v.custom end)) as given
      from wanted w left join valued v using (email_norm) cross join lateral (
        -- One index look-up for each row, however large the brand is.
        select c.* from public.contacts c where c.brand_id = (select p_brand_id) and c.email_norm = w.email_norm limit 1
      ) c
    )
    select coalesce(json_agg(json_build_object('id', k.id, 'email', k.email, 'before', k.before, 'after', k.before || k.given) order by k.place), '[]')
    from known k where k.before || k.given <> k.before
  );
end
$$;

revoke execute on all functions in schema private from public;
