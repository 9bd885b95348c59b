-- The import of contacts from a file, in chunks.

-- One row of a chunk, parsed and checked.
create type private.import_row as (
  place integer,
  number integer,
  email text,
  email_norm text,
  first_name text,
  last_name text,
  company text,
  -- Compared with lower(companies.name): in the same collation, so that its index is used.
  company_norm text collate "und-x-icu",
  problem text,
  is_repeated boolean
);

-- Rows [{ row, email, first_name, last_name, company }], at most 1,000, in the order of the file. Answers for each one
-- [{ row, status: created | updated | unchanged | error, id, reason }]: the same as upsert_contact called row by row. A new
-- contact remembers the import that made it. A chunk may be sent again: nothing is doubled.
create function public.import_contacts(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > 1000 then
    raise exception 'p_rows is a list of at most 1000 rows.' using errcode = '22023';
  end if;
  begin
    return private.import_as_set(p_brand_id, p_import_id, p_rows);
  exception
    when others then
      -- An unforeseen error of one row, or a conflict with another import: each row by itself.
      if sqlstate like 'PT%' then
        raise;
      end if;
      raise log 'import_contacts goes row by row after %', sqlstate;
      return private.import_row_by_row(p_brand_id, p_import_id, p_rows);
  end;
end
$$;

-- All rows with a few statements. Rows whose e-mail comes more than once in the chunk depend on each other, and other requests
-- may have been faster with an address: these rows are saved one after the other, after the rest.
create function private.import_as_set(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns jsonb
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
      private.contact_problem(r.email, r.first_name, r.last_name, r.company),
      r.email_norm is not null and r.times > 1
    )::private.import_row order by r.place)
  into v_rows
  from (select p.*, count(*) over (partition by p.email_norm) as times from private.parse_import(p_rows) p) r;

  -- The companies that do not exist yet, in the order of the file, in the spelling that comes first.
  for i in 1..2 loop
    v_companies := array(
      select n.company from (
        select distinct on (r.company_norm) r.company, r.company_norm, r.place from unnest(v_rows) r
        where r.problem is null and r.company_norm is not null
        order by r.company_norm, r.place
      ) n
      left join lateral (
        select true as found from public.companies c where c.brand_id = p_brand_id and lower(c.name) = n.company_norm limit 1
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

  v_single := array(
    select row(r.place, r.number, r.email, r.email_norm, r.first_name, r.last_name, r.company, r.company_norm, r.problem, r.is_repeated)::private.import_row
    from unnest(v_rows) r where r.problem is null and not r.is_repeated
  );
  with wanted as materialized (
    select r.*, o.id as company_id
    from unnest(v_single) r
    left join lateral (
      select c.id from public.companies c
      where c.brand_id = p_brand_id and lower(c.name) = r.company_norm order by c.created_at, c.id limit 1
    ) o on true
  ),
  known as materialized (
    select w.place, c.id,
      (w.first_name is not null and c.first_name is distinct from w.first_name)
      or (w.last_name is not null and c.last_name is distinct from w.last_name)
      or (w.company_id is not null and c.company_id is distinct from w.company_id) as differs
    from wanted w cross join lateral (
      -- One index look-up for each row, however large the brand is.
      select c.* from public.contacts c where c.brand_id = p_brand_id and c.email_norm = w.email_norm limit 1
    ) c
  ),
  locked as materialized (
    -- Locked in one order, so that two imports of the same people do not deadlock.
    select c.id from public.contacts c
    where c.brand_id = p_brand_id and c.id in (select k.id from known k where k.differs)
    order by c.id for no key update
  ),
  updated as (
    update public.contacts c
    set first_name = coalesce(w.first_name, c.first_name),
        last_name = coalesce(w.last_name, c.last_name),
        company_id = coalesce(w.company_id, c.company_id)
    from wanted w join known k on k.place = w.place
    where c.brand_id = p_brand_id and c.id = k.id and k.id in (select l.id from locked l)
    returning c.id
  ),
  created as (
    insert into public.contacts (brand_id, email, first_name, last_name, company_id, import_id)
    select p_brand_id, w.email, w.first_name, w.last_name, w.company_id, p_import_id
    from wanted w where w.place not in (select k.place from known k)
    order by w.email_norm
    on conflict (brand_id, email_norm) do nothing
    returning id, email_norm
  ),
  answers as (
    select w.place, w.number, 'created' as status, c.id from wanted w join created c on c.email_norm = w.email_norm
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
    order by r.place
  loop
    v_saved := private.upsert_contact_row(p_brand_id, v_row.email, v_row.first_name, v_row.last_name, v_row.company, null, p_import_id);
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

create function private.import_row_by_row(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_row record;
  v_saved record;
  v_answers jsonb := '[]';
begin
  for v_row in select * from private.parse_import(p_rows) r order by r.place loop
    begin
      v_saved := private.upsert_contact_row(p_brand_id, v_row.email, v_row.first_name, v_row.last_name, v_row.company, null, p_import_id);
      v_answers := v_answers || jsonb_build_object('row', v_row.data -> 'row', 'status', v_saved.status, 'id', v_saved.id, 'reason', null);
    exception when others then
      if sqlstate like 'PT%' then
        raise;
      end if;
      v_answers := v_answers || jsonb_build_object('row', v_row.data -> 'row', 'status', 'error', 'id', null, 'reason', sqlerrm);
    end;
  end loop;
  return v_answers;
end
$$;

create function private.parse_import(p_rows jsonb)
returns table (place integer, data jsonb, email text, email_norm text, first_name text, last_name text, company text)
language sql immutable set search_path = ''
as $$
  select e.place::integer, e.data, t.email, lower(t.email collate "und-x-icu"), private.name_or_null(e.data ->> 'first_name'),
    private.name_or_null(e.data ->> 'last_name'), private.name_or_null(e.data ->> 'company')
  from jsonb_array_elements(p_rows) with ordinality e (data, place)
  cross join lateral (select private.trimmed(e.data ->> 'email') as email) t
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.import_contacts(uuid, uuid, jsonb) from public, anon, authenticated;
grant execute on function public.import_contacts(uuid, uuid, jsonb) to authenticated, service_role;
