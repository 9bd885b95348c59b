-- Imports of the same people at once wait for each other, and no longer fail: all chunks take their locks in one order. That is: the import,
-- its known contacts by id (private.lock_import), companies, new contacts by address, new tags by name.

-- All rows with a few statements. A second row with the same e-mail depends on the first, and other requests may have been faster
-- with an address: these rows are saved one after the other, after the rest. New contacts are inserted in the order of their
-- addresses, so that two chunks with the same new people wait for each other one way only.
create or replace function private.import_as_set(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  -- Separate arrays, so that the planner knows how many rows there are.
  v_rows private.import_row[];
  v_single private.import_row[];
  v_companies text[];
  v_row private.import_row;
  v_saved record;
  v_answers jsonb;
  v_single_answers jsonb := '[]';
begin
  select array_agg(row(
      r.place, (r.data ->> 'row')::integer, r.email, r.email_norm, r.first_name, r.last_name, r.company, lower(r.company collate "und-x-icu"),
      r.problem, r.email_norm is not null and r.problem is null and r.time > 1, r.phone, r.title, r.id
    )::private.import_row order by r.place)
  into v_rows
  from (
    select p.*, row_number() over (partition by p.email_norm, p.problem is null order by p.place) as time
    from private.parse_import(p_brand_id, p_rows) p
  ) r;

  -- The companies that do not exist yet, in the order of the file, in the spelling that comes first.
  for i in 1..2 loop
    v_companies := array(
      select n.company from (
        select distinct on (r.company_norm) r.company, r.company_norm, r.place from unnest(v_rows) r
        where r.problem is null and r.company_norm is not null
        order by r.company_norm, r.place
      ) n
      left join lateral (
        select true as found from public.companies c where c.brand_id = (select p_brand_id) and lower(c.name) = n.company_norm limit 1
      ) o on true
      where o.found is null
      order by n.place
    );
    exit when cardinality(v_companies) = 0;
    if i = 1 then
      perform private.lock_companies(p_brand_id);
    else
      insert into public.companies (brand_id, name) select p_brand_id, n.name from unnest(v_companies) n (name);
    end if;
  end loop;

  v_single := array(select r from unnest(v_rows) r where r.problem is null and not r.is_repeated);
  with wanted as materialized (
    select r.*, o.id as company_id
    from unnest(v_single) r
    left join lateral (
      select c.id from public.companies c
      where c.brand_id = (select p_brand_id) and lower(c.name) = r.company_norm order by c.created_at, c.id limit 1
    ) o on true
  ),
  known as materialized (
    select w.place, c.id,
      (w.first_name is not null and c.first_name is distinct from w.first_name)
      or (w.last_name is not null and c.last_name is distinct from w.last_name)
      or (w.phone is not null and c.phone is distinct from w.phone)
      or (w.title is not null and c.title is distinct from w.title)
      or (w.company_id is not null and c.company_id is distinct from w.company_id) as differs
    from wanted w cross join lateral (
      -- One index look-up for each row, however large the brand is.
      select c.* from public.contacts c where c.brand_id = (select p_brand_id) and c.email_norm = w.email_norm limit 1
    ) c
  ),
  locked as materialized (
    -- Locked in one order, so that two imports of the same people do not deadlock.
    select c.id, c.import_id, private.import_rev(c) as rev, private.import_values(c) as previous from public.contacts c
    where c.brand_id = (select p_brand_id) and c.id in (select k.id from known k where k.differs)
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
    from wanted w join known k on k.place = w.place
    where c.brand_id = (select p_brand_id) and c.id = k.id and k.id in (select l.id from locked l)
    returning c.id
  ),
  created as (
    insert into public.contacts (brand_id, id, email, phone, title, first_name, last_name, company_id, import_id)
    select p_brand_id, coalesce(w.id, gen_random_uuid()), w.email, w.phone, w.title, w.first_name, w.last_name, w.company_id, p_import_id
    from wanted w where w.place not in (select k.place from known k)
    order by w.email_norm, w.id
    on conflict do nothing
    returning id, email_norm
  ),
  answers as (
    select w.place, w.number, 'created' as status, c.id from wanted w join created c on c.email_norm = w.email_norm
    union all
    -- Without an address: a row that is there already was sent before.
    select w.place, w.number, case when c.id is null then 'unchanged' else 'created' end, w.id
    from wanted w left join created c on c.id = w.id where w.id is not null
    union all
    select w.place, w.number, case when k.differs then 'updated' else 'unchanged' end, k.id
    from wanted w join known k on k.place = w.place
    where not k.differs or k.id in (select u.id from updated u)
  )
  select coalesce(jsonb_agg(jsonb_build_object('place', a.place, 'row', a.number, 'status', a.status, 'id', a.id, 'reason', null)), '[]')
  into v_answers from answers a;

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
  v_row record;
  v_saved record;
  v_answers jsonb := '[]';
begin
  for v_row in select * from private.parse_import(p_brand_id, p_rows) r order by r.place loop
    begin
      v_saved := private.import_contact_row(p_brand_id, row(
        v_row.place, null, v_row.email, v_row.email_norm, v_row.first_name, v_row.last_name, v_row.company, null, v_row.problem, false,
        v_row.phone, v_row.title, v_row.id
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

-- Gives imported contacts the tags of their rows beside those that they have, 30 at most. Answers p_answers with what changed: a contact
-- that was unchanged until here is updated, and `left_out_tags` names the tags that it did not get.
create or replace function private.add_imported_tags(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_answers jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_most constant integer := 30;
  v_most_of_brand constant integer := 200;
  v_answers jsonb;
begin
  if not jsonb_path_exists(p_rows, '$[*].tags ? (@ != "")') then
    return p_answers;
  end if;
  if private.is_service() or p_brand_id = any (array(select private.my_brand_ids('admin'))) then
    -- Inserted in the order of their names, so that two files with the same new tags wait for each other one way only. Where there is no room
    -- for all, those that come first in the file are made.
    insert into public.tags (brand_id, name)
    select p_brand_id, f.name from (
      select n.name from (
        select distinct on (lower(m.name collate "und-x-icu")) m.name, m.place from private.imported_tags(p_brand_id, p_rows) m
        where m.id is null and length(m.name) <= 50 order by lower(m.name collate "und-x-icu"), m.place
      ) n
      order by n.place
      limit greatest(0, v_most_of_brand - (select count(*) from public.tags t where t.brand_id = p_brand_id))
    ) f
    order by lower(f.name collate "und-x-icu")
    on conflict do nothing;
  end if;
  with wanted as materialized (
    select (a.answer ->> 'id')::uuid as contact_id, m.place, m.name, m.id as tag_id
    from jsonb_array_elements(p_answers) with ordinality a (answer, place)
    join private.imported_tags(p_brand_id, p_rows) m using (place)
    where a.answer ->> 'status' <> 'error'
  ),
  given as materialized (
    select w.contact_id, array_agg(distinct w.tag_id) as tag_ids from wanted w where w.tag_id is not null group by w.contact_id
  ),
  -- Locked in one order, as by the import.
  locked as materialized (
    select c.id, c.import_id, private.import_rev(c) as rev, private.import_values(c) as previous, g.tag_ids
    from given g join public.contacts c on c.brand_id = (select p_brand_id) and c.id = g.contact_id
    where not c.tag_ids @> g.tag_ids
    order by c.id for no key update of c
  ),
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
    set tag_ids = c.tag_ids || (
      array(select n.id from unnest(l.tag_ids) n (id) where n.id <> all (c.tag_ids) order by n.id)
    )[1 : greatest(0, v_most - (select count(*) from public.tags t where t.brand_id = p_brand_id and t.id = any (c.tag_ids)))]
    from locked l where c.brand_id = (select p_brand_id) and c.id = l.id
    returning c.id, c.tag_ids
  ),
  -- What a contact has now; those that were not changed had all of their tags before.
  missing as (
    select w.place, jsonb_agg(w.name order by w.name) as names
    from wanted w left join updated u on u.id = w.contact_id
    where w.tag_id is null or u.id is not null and w.tag_id <> all (u.tag_ids)
    group by w.place
  )
  select jsonb_agg(
    a.answer
      || case when a.answer ->> 'status' = 'unchanged' and u.id is not null then '{"status": "updated"}'::jsonb else '{}' end
      || case when m.names is null then '{}' else jsonb_build_object('left_out_tags', m.names) end
    order by a.place)
  into v_answers
  from jsonb_array_elements(p_answers) with ordinality a (answer, place)
  left join updated u on u.id = (a.answer ->> 'id')::uuid
  left join missing m on m.place = a.place;
  return v_answers;
end
$$;

revoke execute on all functions in schema private from public;
