-- An import, its undo and a change of many records take half the time, or less. These functions ran under force_custom_plan, and so did the
-- triggers and foreign keys of what they wrote: each of their statements was planned anew for each row. Now force_custom_plan is set for
-- functions that only read or lock, as their plans depend on the number of rows. And a chunk of an import is parsed once.

-- company_id: the company of the row. is_known: the brand has a contact with the row's e-mail address, `id` is that of this contact.
-- differs: the row changes that contact.
alter type private.import_row add attribute company_id uuid, add attribute is_known boolean, add attribute differs boolean;

-- Takes the locks of a chunk, in the one order of all chunks and undos: the import, then the contacts that the chunk may change, by id.
-- p_emails and p_ids: how these contacts are found.
drop function private.lock_import(uuid, uuid, jsonb);
create function private.lock_chunk(p_brand_id uuid, p_import_id uuid, p_emails text[], p_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_ids uuid[];
begin
  perform pg_advisory_xact_lock(hashtextextended('import ' || p_import_id, 0)) where p_import_id is not null;
  v_ids := p_ids || array(
    select k.id from unnest(p_emails) e (email_norm) cross join lateral (
      -- One index look-up for each row, however large the brand is.
      select c.id from public.contacts c where c.brand_id = (select p_brand_id) and c.email_norm = e.email_norm limit 1
    ) k
  );
  perform from public.contacts c where c.brand_id = (select p_brand_id) and c.id = any (v_ids) order by c.id for no key update;
end
$$;

-- The rows of a chunk, parsed and checked. is_repeated: an earlier row has the same e-mail address.
create function private.import_rows(p_brand_id uuid, p_rows jsonb) returns private.import_row[]
language sql stable set search_path = ''
as $$
  select array_agg(row(
      r.place, (r.data ->> 'row')::integer, r.email, r.email_norm, r.first_name, r.last_name, r.company, lower(r.company collate "und-x-icu"),
      r.problem, r.email_norm is not null and r.problem is null and r.time > 1, r.phone, r.title, r.id, null, null, null
    )::private.import_row order by r.place)
  from (
    select p.*, row_number() over (partition by p.email_norm, p.problem is null order by p.place) as time
    from private.parse_import(p_brand_id, p_rows) p
  ) r
$$;

-- The companies of the rows that do not exist yet, in the order of the file, in the spelling that comes first.
create function private.missing_companies(p_brand_id uuid, p_rows private.import_row[]) returns text[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
begin
  return array(
    select n.company from (
      select distinct on (r.company_norm) r.company, r.company_norm, r.place from unnest(p_rows) r
      where r.problem is null and r.company_norm is not null
      order by r.company_norm, r.place
    ) n
    left join lateral (
      select true as found from public.companies c where c.brand_id = (select p_brand_id) and lower(c.name) = n.company_norm limit 1
    ) o on true
    where o.found is null
    order by n.place
  );
end
$$;

-- The rows that can be saved at once, with the companies and contacts that the brand has, and with an id for each new contact.
create function private.matched_rows(p_brand_id uuid, p_rows private.import_row[]) returns private.import_row[]
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  -- A separate array, so that the planner knows how many rows there are.
  v_single constant private.import_row[] := array(select r from unnest(p_rows) r where r.problem is null and not r.is_repeated);
begin
  return array(
    select row(
      w.place, w.number, w.email, w.email_norm, w.first_name, w.last_name, w.company, w.company_norm, w.problem, w.is_repeated, w.phone, w.title,
      coalesce(k.id, w.id, gen_random_uuid()), o.id, k.id is not null,
      (w.first_name is not null and k.first_name is distinct from w.first_name)
      or (w.last_name is not null and k.last_name is distinct from w.last_name)
      or (w.phone is not null and k.phone is distinct from w.phone)
      or (w.title is not null and k.title is distinct from w.title)
      or (o.id is not null and k.company_id is distinct from o.id)
    )::private.import_row
    from unnest(v_single) w
    left join lateral (
      select c.id from public.companies c
      where c.brand_id = (select p_brand_id) and lower(c.name) = w.company_norm order by c.created_at, c.id limit 1
    ) o on true
    left join lateral (
      -- One index look-up for each row, however large the brand is.
      select c.* from public.contacts c where c.brand_id = (select p_brand_id) and c.email_norm = w.email_norm limit 1
    ) k on true
  );
end
$$;

-- All rows with a few statements. A second row with the same e-mail depends on the first, and other requests may have been faster
-- with an address: these rows are saved one after the other, after the rest. New contacts are inserted in the order of their
-- addresses, so that two chunks with the same new people wait for each other one way only.
create or replace function private.import_as_set(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_rows constant private.import_row[] := private.import_rows(p_brand_id, p_rows);
  v_matched private.import_row[];
  v_companies text[];
  v_row private.import_row;
  v_saved record;
  v_created uuid[];
  v_updated uuid[];
  v_answers jsonb;
  v_single_answers jsonb := '[]';
begin
  perform private.lock_chunk(
    p_brand_id, p_import_id, array(select r.email_norm from unnest(v_rows) r where r.problem is null),
    array(select r.id from unnest(v_rows) r where r.problem is null and r.id is not null));

  for i in 1..2 loop
    v_companies := private.missing_companies(p_brand_id, v_rows);
    exit when cardinality(v_companies) = 0;
    if i = 1 then
      perform private.lock_companies(p_brand_id);
    else
      insert into public.companies (brand_id, name) select p_brand_id, n.name from unnest(v_companies) n (name);
    end if;
  end loop;

  v_matched := private.matched_rows(p_brand_id, v_rows);
  with locked as materialized (
    -- Locked in one order, so that two imports of the same people do not deadlock.
    select c.id, c.import_id, private.import_rev(c) as rev, private.import_values(c) as previous from public.contacts c
    where c.brand_id = p_brand_id and c.id = any (array(select w.id from unnest(v_matched) w where w.is_known and w.differs))
    order by c.id for no key update
  ),
  -- Of a contact that another chunk of this import has changed, the values of before the import stay, unless somebody has
  -- changed it in between. What the import itself has created goes as a whole.
  kept as (
    insert into private.import_changes as k (brand_id, import_id, contact_id, old_rev, rev, previous)
    select p_brand_id, p_import_id, l.id, l.rev, private.current_rev(), l.previous
    from locked l where p_import_id is not null and l.import_id is distinct from p_import_id
    on conflict (brand_id, import_id, contact_id) do update
    set previous = case when excluded.old_rev = k.rev then k.previous else excluded.previous end,
        old_rev = case when excluded.old_rev = k.rev then k.old_rev else excluded.old_rev end,
        goes = k.goes and excluded.old_rev = k.rev,
        rev = excluded.rev
  ),
  updated as (
    update public.contacts c
    set first_name = coalesce(w.first_name, c.first_name),
        last_name = coalesce(w.last_name, c.last_name),
        phone = coalesce(w.phone, c.phone),
        title = coalesce(w.title, c.title),
        company_id = coalesce(w.company_id, c.company_id)
    from unnest(v_matched) w
    where c.brand_id = p_brand_id and c.id = w.id and w.is_known and w.differs and w.id in (select l.id from locked l)
    returning c.id
  ),
  created as (
    insert into public.contacts (brand_id, id, email, phone, title, first_name, last_name, company_id, import_id)
    select p_brand_id, w.id, w.email, w.phone, w.title, w.first_name, w.last_name, w.company_id, p_import_id
    from unnest(v_matched) w where not w.is_known
    order by w.email_norm, w.id
    on conflict do nothing
    returning id
  )
  select array(select c.id from created c), array(select u.id from updated u) into v_created, v_updated;

  select coalesce(jsonb_agg(jsonb_build_object('place', w.place, 'row', w.number, 'status', w.status, 'id', w.id, 'reason', null)), '[]')
  into v_answers
  from (
    select m.place, m.number, m.id, case
      when m.id in (select n.id from unnest(v_created) n (id)) then 'created'
      when m.id in (select n.id from unnest(v_updated) n (id)) then 'updated'
      -- Without an address: a row that is there already was sent before.
      when m.is_known and not m.differs or m.email_norm is null then 'unchanged'
    end as status
    from unnest(v_matched) m
  ) w
  where w.status is not null;

  for v_row in
    select r.* from unnest(v_rows) r
    where r.problem is null and r.place not in (select (a ->> 'place')::integer from jsonb_array_elements(v_answers) a)
    order by r.email_norm, r.id, r.place
  loop
    v_saved := private.import_contact_row(p_brand_id, v_row, p_import_id);
    v_single_answers := v_single_answers || jsonb_build_object('place', v_row.place, 'row', v_row.number, 'status', v_saved.status, 'id', v_saved.id, 'reason', null);
  end loop;

  return (
    select coalesce(jsonb_agg(a.answer - 'place' order by (a.answer ->> 'place')::integer), '[]')
    from (
      select jsonb_build_object('place', r.place, 'row', r.number, 'status', 'error', 'id', null, 'reason', r.problem)
      from unnest(v_rows) r where r.problem is not null
      union all
      select jsonb_array_elements(v_answers || v_single_answers)
    ) a (answer)
  );
end
$$;

create or replace function private.import_row_by_row(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_emails text[];
  v_ids uuid[];
  v_row record;
  v_saved record;
  v_answers jsonb := '[]';
begin
  select coalesce(array_agg(r.email_norm), '{}'), coalesce(array_agg(r.id) filter (where r.id is not null), '{}') into v_emails, v_ids
  from private.parse_import(p_brand_id, p_rows) r where r.problem is null;
  perform private.lock_chunk(p_brand_id, p_import_id, v_emails, v_ids);
  for v_row in select * from private.parse_import(p_brand_id, p_rows) r order by r.place loop
    begin
      v_saved := private.import_contact_row(p_brand_id, row(
        v_row.place, null, v_row.email, v_row.email_norm, v_row.first_name, v_row.last_name, v_row.company, null, v_row.problem, false,
        v_row.phone, v_row.title, v_row.id, null, null, null
      )::private.import_row, p_import_id);
      v_answers := v_answers || jsonb_build_object('row', v_row.data -> 'row', 'status', v_saved.status, 'id', v_saved.id, 'reason', null);
    exception when others then
      -- A deadlock is no fault of its row: import_contacts begins the chunk again.
      if sqlstate like 'PT%' or sqlstate = '40P01' then
        raise;
      end if;
      v_answers := v_answers || jsonb_build_object('row', v_row.data -> 'row', 'status', 'error', 'id', null, 'reason', sqlerrm);
    end;
  end loop;
  return v_answers;
end
$$;

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

-- What these two write is written with `execute`, which makes a new plan by itself.
alter function public.change_matching(uuid, jsonb, jsonb, timestamptz) reset plan_cache_mode;
alter function public.merge_tags(uuid, uuid, uuid) reset plan_cache_mode;
alter function private.add_imported_tags(uuid, uuid, jsonb, jsonb) reset plan_cache_mode;
-- Its plans walk an import by its indexes, 500 records at a time. A planner that knows the brand joins all of the import for each 500.
alter function public.undo_import(uuid, uuid) set plan_cache_mode = force_generic_plan;

revoke execute on all functions in schema private from public;
