-- An import with 50 custom fields took 5 ms a row, of which the values were 4: each was checked in a transaction of its own, looked up by a
-- statement that was planned again for each, and merged one by one.

-- A write of `custom` is a merge patch (RFC 7396, one level): it sets its keys, a key with null is removed, the others stay. So
-- patches of different fields commute. A field is named by its id or by its key, and stored by its id.
-- It runs with the caller's rights: a field of a brand that the caller does not see is unknown.
create or replace function private.merge_custom() returns trigger
language plpgsql
as $$
declare
  v_most constant integer := 8192;
  v_patch jsonb := new.custom;
  v_unknown text;
  v_removed text[];
  v_set jsonb;
begin
  if tg_op = 'INSERT' and coalesce(current_setting('private.restoring', true), '') <> '' then
    -- As it was. A row that was deleted before there were fields has none.
    new.custom := coalesce(v_patch, '{}');
    return new;
  end if;
  if jsonb_typeof(v_patch) is distinct from 'object' then
    raise exception 'custom is an object: ids of fields with their values.' using errcode = '22023';
  end if;
  if coalesce(current_setting('private.custom_is_read', true), '') <> '' then
    -- An import has read all values already (private.imported_custom), and names fields by their ids.
    new.custom := old.custom || v_patch;
    return new;
  end if;
  if octet_length(v_patch::text) > 65536 or (select count(*) from jsonb_object_keys(v_patch)) > 200 then
    raise exception 'The fields of a record hold at most 8 kB together.' using errcode = '54000';
  end if;
  -- Of a field that is named twice, by its key and by its id, the last one counts. A null for a field that is not known removes nothing.
  select min(e.name) filter (where e.is_unknown), array_agg(e.name) filter (where e.stored is null),
    jsonb_object_agg(e.name, e.stored) filter (where e.stored is not null)
  into v_unknown, v_removed, v_set
  from (
    select distinct on (coalesce(f.id::text, p.key)) coalesce(f.id::text, p.key) as name, f.id is null and p.value <> 'null' as is_unknown,
      case when f.id is not null and p.value <> 'null' then nullif(private.custom_value(f, p.value), 'null') end as stored
    from jsonb_each(v_patch) with ordinality p (key, value, place)
    left join public.custom_fields f on f.brand_id = new.brand_id and f."table" = tg_table_name and f.id = case
      when p.key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p.key::uuid
      else (select n.id from public.custom_fields n where n.brand_id = new.brand_id and n."table" = tg_table_name and n.key = p.key)
    end
    order by coalesce(f.id::text, p.key), p.place desc
  ) e;
  if v_unknown is not null then
    raise exception 'There is no field % for %.', left(v_unknown, 60), tg_table_name using errcode = '22023';
  end if;
  new.custom := (case when tg_op = 'UPDATE' then old.custom else '{}' end - coalesce(v_removed, '{}')) || coalesce(v_set, '{}');
  if octet_length(new.custom::text) > v_most then
    raise exception 'The fields of a record hold at most 8 kB together.' using errcode = '54000';
  end if;
  return new;
end
$$;

-- The values of custom fields in the rows of an import, at most 200 a row. `custom` of a row has ids or keys of fields. `place` is that of the row.
-- All values are read at once. Only where one is refused each of them is, in a transaction of its own, for its reason.
create or replace function private.imported_custom(p_brand_id uuid, p_rows jsonb)
returns table (place bigint, field_id uuid, label text, value jsonb, reason text)
language plpgsql stable set search_path = ''
as $$
#variable_conflict use_column
begin
  begin
    return query
      select g.place, (g.field).id, g.label,
        case when (g.field).id is not null then nullif(private.custom_value(g.field, g.value), 'null') end,
        case when (g.field).id is null then 'There is no such field.' end
      from private.given_custom(p_brand_id, p_rows) g;
    return;
  exception when data_exception then
    null;
  end;
  return query
    select g.place, (g.field).id, g.label, c.value, c.reason
    from private.given_custom(p_brand_id, p_rows) g cross join lateral private.custom_value_read(g.field, g.value) c;
end
$$;

-- What these rows give, and the fields that they give it to; a field that is not known is null.
create function private.given_custom(p_brand_id uuid, p_rows jsonb)
returns table (place bigint, field public.custom_fields, label text, value jsonb)
language plpgsql stable set search_path = ''
as $$
#variable_conflict use_column
begin
  return query
    with fields as materialized (
      select f, n.name from public.custom_fields f cross join lateral (values (f.id::text), (f.key)) n (name)
      where f.brand_id = p_brand_id and f."table" = 'contacts'
    )
    select r.place, k.f, coalesce((k.f).label, left(v.key, 60)), v.value
    from jsonb_array_elements(p_rows) with ordinality r (data, place)
    cross join lateral (
      select e.key, e.value from jsonb_each(case jsonb_typeof(r.data -> 'custom') when 'object' then r.data -> 'custom' end) e
      where e.value not in ('null', '""') limit 200
    ) v
    left join fields k on k.name = v.key;
end
$$;

-- Gives imported contacts the values of custom fields of their rows. Answers p_answers with what changed: a contact that was unchanged until
-- here is updated, and `left_out_values` tells the values that it did not get: [{ field, reason }].
create or replace function private.add_imported_custom(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_answers jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_most constant integer := 8192;
  v_answers jsonb;
begin
  if not jsonb_path_exists(p_rows, '$[*].custom') then
    return p_answers;
  end if;
  perform set_config('private.custom_is_read', 'true', true);
  -- Planned for this chunk. A setting that demands it would plan what the triggers do for each row, too.
  execute $statement$
    with given as materialized (
      select (a.answer ->> 'id')::uuid as contact_id, g.place, g.field_id, g.label, g.value, g.reason
      from jsonb_array_elements($4) with ordinality a (answer, place)
      join private.imported_custom($1, $3) g using (place)
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
        octet_length((c.custom || p.patch)::text) <= $5 as fits
      from patches p join public.contacts c on c.brand_id = (select $1) and c.id = p.contact_id
      where c.custom || p.patch <> c.custom
      order by c.id for no key update of c
    ),
    kept as (
      insert into private.import_changes as k (brand_id, import_id, contact_id, old_rev, rev, previous)
      select $1, $2, l.id, l.rev, private.current_rev(), l.previous
      from locked l where l.fits and $2 is not null and l.import_id is distinct from $2
      on conflict (brand_id, import_id, contact_id) do update
      set previous = case when excluded.old_rev = k.rev then k.previous else excluded.previous end,
          old_rev = case when excluded.old_rev = k.rev then k.old_rev else excluded.old_rev end,
          goes = k.goes and excluded.old_rev = k.rev,
          rev = excluded.rev
    ),
    updated as (
      -- A merge patch: the other fields stay.
      update public.contacts c set custom = l.patch from locked l where l.fits and c.brand_id = (select $1) and c.id = l.id returning c.id
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
    from jsonb_array_elements($4) with ordinality a (answer, place)
    left join updated u on u.id = (a.answer ->> 'id')::uuid
    left join missing m on m.place = a.place
  $statement$ into v_answers using p_brand_id, p_import_id, p_rows, p_answers, v_most;
  perform set_config('private.custom_is_read', '', true);
  return v_answers;
end
$$;

revoke execute on all functions in schema private from public;
