-- The import takes phone numbers and job titles too, and contacts that have a phone number but no e-mail address, as
-- add_contact_by_phone does. What an import has added can be deleted again as a whole, as far as nobody has changed it since.

-- WHAT WAS IMPORTED

-- An import that wrote something. `revs` are those of its chunks: what has one of them was written by the import last.
create table private.imports (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null,
  file_name text check (length(file_name) <= 255),
  -- Contacts that it added, and contacts of before that it changed.
  created integer not null,
  updated integer not null,
  revs bigint[] not null,
  started_at timestamptz not null default now(),
  started_by uuid,
  -- What undo_import has deleted so far, and when it was done.
  deleted_contacts integer not null default 0,
  deleted_companies integer not null default 0,
  undone_at timestamptz,
  primary key (brand_id, id)
);
create index imports_newest_idx on private.imports (brand_id, started_at desc, id);
alter table private.imports enable row level security;
revoke all on private.imports from public, anon, authenticated, service_role;
create index contacts_by_import_idx on public.contacts (brand_id, import_id, id) where import_id is not null;

-- Notes what a chunk has written. Called last, because it locks the line of the import.
create function private.note_import(p_brand_id uuid, p_import_id uuid, p_file text, p_answers jsonb) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_created integer := (select count(*) from jsonb_array_elements(p_answers) a where a ->> 'status' = 'created');
  v_updated integer := (select count(*) from jsonb_array_elements(p_answers) a where a ->> 'status' = 'updated');
begin
  if p_import_id is null or v_created + v_updated = 0 then
    return;
  end if;
  insert into private.imports as i (brand_id, id, file_name, created, updated, revs, started_by)
  values (p_brand_id, p_import_id, left(private.name_or_null(p_file), 255), v_created, v_updated, array[private.current_rev()], auth.uid())
  on conflict (brand_id, id) do update
  set created = i.created + excluded.created, updated = i.updated + excluded.updated, revs = i.revs || excluded.revs, undone_at = null;
end
$$;

-- THE IMPORT

drop function public.import_contacts(uuid, uuid, jsonb);
drop function private.import_as_set(uuid, uuid, jsonb);
drop function private.parse_import(jsonb);
alter type private.import_row add attribute phone text, add attribute title text, add attribute id uuid;

-- What is wrong with a row, or null. Texts are trimmed.
create function private.import_problem(p_email text, p_phone text, p_first text, p_last text, p_title text, p_company text) returns text
language sql immutable
as $$
  select case
    when p_email is null then private.phone_contact_problem(p_phone, p_first, p_last, p_title, p_company)
    else coalesce(
      private.contact_problem(p_email, p_first, p_last, p_company),
      case
        when length(p_phone) > 50 then 'The phone number is longer than 50 characters'
        when length(p_title) > 200 then 'The title is longer than 200 characters'
      end)
  end
$$;

-- The rows as they are stored. `id` is that of a contact without an address, which nothing else tells from others: the same
-- row of the same file has the same id, so that a chunk that is sent again, or a file that is continued, adds nobody twice.
create function private.parse_import(p_brand_id uuid, p_rows jsonb)
returns table (
  place integer, data jsonb, email text, email_norm text, first_name text, last_name text, company text, phone text, title text, id uuid, problem text
)
language sql immutable set search_path = ''
as $$
  select t.*, private.import_problem(t.email, t.phone, t.first_name, t.last_name, t.title, t.company)
  from (
    select e.place::integer, e.data, m.email, lower(m.email collate "und-x-icu"), private.name_or_null(e.data ->> 'first_name') as first_name,
      private.name_or_null(e.data ->> 'last_name') as last_name, private.name_or_null(e.data ->> 'company') as company,
      private.trimmed(e.data ->> 'phone') as phone, private.trimmed(e.data ->> 'title') as title,
      -- A UUID of version 8, RFC 9562.
      case when m.email is null then
        overlay(overlay(md5(p_brand_id || e.data::text) placing '8' from 13) placing '8' from 17)::uuid
      end
    from jsonb_array_elements(p_rows) with ordinality e (data, place)
    cross join lateral (select private.trimmed(e.data ->> 'email') as email) m
  ) t
$$;

-- One row, after the rule of upsert_contact: a missing value keeps what is stored. An imported contact belongs to nobody.
create function private.import_contact_row(p_brand_id uuid, p_row private.import_row, p_import_id uuid, out id uuid, out status text)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_company_id uuid;
  v_known public.contacts;
begin
  if p_row.problem is not null then
    raise exception '%', p_row.problem using errcode = '22023';
  end if;
  if p_row.company is not null then
    v_company_id := private.find_or_create_company(p_brand_id, p_row.company);
  end if;
  -- Starts again where another transaction inserted or deleted this contact meanwhile.
  loop
    if p_row.email_norm is null then
      select * into v_known from public.contacts c where c.brand_id = p_brand_id and c.id = p_row.id;
    else
      select * into v_known from public.contacts c where c.brand_id = p_brand_id and c.email_norm = p_row.email_norm;
    end if;
    if not found then
      insert into public.contacts as c (brand_id, id, email, phone, title, first_name, last_name, company_id, import_id)
      values (
        p_brand_id, coalesce(p_row.id, gen_random_uuid()), p_row.email, p_row.phone, p_row.title, p_row.first_name, p_row.last_name,
        v_company_id, p_import_id
      )
      on conflict do nothing
      returning c.id into id;
      status := 'created';
    elsif p_row.email_norm is not null and (
      (p_row.first_name is not null and v_known.first_name is distinct from p_row.first_name)
      or (p_row.last_name is not null and v_known.last_name is distinct from p_row.last_name)
      or (p_row.phone is not null and v_known.phone is distinct from p_row.phone)
      or (p_row.title is not null and v_known.title is distinct from p_row.title)
      or (v_company_id is not null and v_known.company_id is distinct from v_company_id))
    then
      update public.contacts c
      set first_name = coalesce(p_row.first_name, c.first_name),
          last_name = coalesce(p_row.last_name, c.last_name),
          phone = coalesce(p_row.phone, c.phone),
          title = coalesce(p_row.title, c.title),
          company_id = coalesce(v_company_id, c.company_id)
      where c.brand_id = p_brand_id and c.id = v_known.id
      returning c.id into id;
      status := 'updated';
    else
      id := v_known.id;
      status := 'unchanged';
    end if;
    exit when id is not null;
  end loop;
end
$$;

-- Rows [{ row, email, phone, first_name, last_name, title, company }], at most 1,000, in the order of the file. Answers for each
-- one [{ row, status: created | updated | unchanged | error, id, reason }]. Each needs an e-mail address, by which a known contact
-- is found and completed, or a phone number, by which none is. A new contact remembers the import that made it; p_file is the
-- name of its file. A chunk may be sent again: nothing is doubled.
create function public.import_contacts(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_file text default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_answers jsonb;
begin
  perform private.assert_member(p_brand_id);
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) > 1000 then
    raise exception 'p_rows is a list of at most 1000 rows.' using errcode = '22023';
  end if;
  begin
    v_answers := private.import_as_set(p_brand_id, p_import_id, p_rows);
  exception
    when others then
      -- An unforeseen error of one row, or a conflict with another import: each row by itself.
      if sqlstate like 'PT%' then
        raise;
      end if;
      raise log 'import_contacts goes row by row after %', sqlstate;
      v_answers := private.import_row_by_row(p_brand_id, p_import_id, p_rows);
  end;
  perform private.note_import(p_brand_id, p_import_id, p_file, v_answers);
  return v_answers;
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
      r.problem, r.email_norm is not null and r.times > 1, r.phone, r.title, r.id
    )::private.import_row order by r.place)
  into v_rows
  from (select p.*, count(*) over (partition by p.email_norm) as times from private.parse_import(p_brand_id, p_rows) p) r;

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

  v_single := array(select r from unnest(v_rows) r where r.problem is null and not r.is_repeated);
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
      or (w.phone is not null and c.phone is distinct from w.phone)
      or (w.title is not null and c.title is distinct from w.title)
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
        phone = coalesce(w.phone, c.phone),
        title = coalesce(w.title, c.title),
        company_id = coalesce(w.company_id, c.company_id)
    from wanted w join known k on k.place = w.place
    where c.brand_id = p_brand_id and c.id = k.id and k.id in (select l.id from locked l)
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
    order by r.place
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
      if sqlstate like 'PT%' then
        raise;
      end if;
      v_answers := v_answers || jsonb_build_object('row', v_row.data -> 'row', 'status', 'error', 'id', null, 'reason', sqlerrm);
    end;
  end loop;
  return v_answers;
end
$$;

-- TAKEN BACK

-- Whether a contact is as its import left it, and no deal or task names it.
create function private.is_as_imported(p_contact public.contacts, p_revs bigint[]) returns boolean
language sql stable
as $$
  select p_contact.rev = any (p_revs)
    and not exists (select from public.deals d where d.brand_id = p_contact.brand_id and d.contact_id = p_contact.id)
    and not exists (select from public.tasks t where t.brand_id = p_contact.brand_id and t.contact_id = p_contact.id)
$$;

-- The latest 20 imports of a brand that wrote something, newest first; or the one with this id, with how many of its contacts
-- undo_import deletes (`removable`) and how many stay (`kept`).
create function public.read_imports(p_brand_id uuid, p_import_id uuid default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_found json;
begin
  perform private.assert_member(p_brand_id);
  select coalesce(json_agg(json_build_object(
      'id', i.id, 'file_name', i.file_name, 'created', i.created, 'updated', i.updated, 'started_at', i.started_at, 'started_by', i.started_by,
      'deleted_contacts', i.deleted_contacts, 'deleted_companies', i.deleted_companies, 'undone_at', i.undone_at,
      'removable', n.removable, 'kept', n.kept
    ) order by i.started_at desc, i.id), '[]')
  into v_found
  from (
    select * from private.imports i
    where i.brand_id = p_brand_id and (p_import_id is null or i.id = p_import_id)
    order by i.started_at desc, i.id limit 20
  ) i
  left join lateral (
    select count(*) filter (where s.is_left) as removable, count(*) filter (where not s.is_left) as kept
    from (
      select private.is_as_imported(c, i.revs) as is_left from public.contacts c where c.brand_id = p_brand_id and c.import_id = i.id
    ) s
  ) n on p_import_id is not null;
  return v_found;
end
$$;

-- Deletes what an import has added, at most 500 rows a call: call it until the answer says `done`. Contacts that were changed
-- since stay, and so do those that a deal or task names. Then go the companies that it added, that were not changed and that
-- nobody uses. What the import changed in contacts of before stays as it is. Answers { done, contacts, companies, kept }: what
-- all calls together have deleted, and the contacts of the import that stay; null until it is done.
create function public.undo_import(p_brand_id uuid, p_import_id uuid) returns json
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_piece constant integer := 500;
  v_import private.imports;
  v_contacts integer;
  v_companies integer := 0;
  v_kept integer;
begin
  perform private.assert_member(p_brand_id);
  -- A chunk of this import that is being written, or another undo, is waited for.
  select * into v_import from private.imports i where i.brand_id = p_brand_id and i.id = p_import_id for update;
  if not found then
    raise exception 'This import is not known.' using errcode = '22023';
  end if;
  with found as materialized (
    select c.id from public.contacts c
    where c.brand_id = p_brand_id and c.import_id = p_import_id and private.is_as_imported(c, v_import.revs)
    order by c.id limit v_piece for update
  ),
  gone as (
    delete from public.contacts c using found f where c.brand_id = p_brand_id and c.id = f.id returning c.id
  )
  select count(*) into v_contacts from gone;
  if v_contacts < v_piece then
    with found as materialized (
      select o.id from public.companies o
      where o.brand_id = p_brand_id and o.rev = any (v_import.revs)
        and not exists (select from public.contacts c where c.brand_id = p_brand_id and c.company_id = o.id)
        and not exists (select from public.deals d where d.brand_id = p_brand_id and d.company_id = o.id)
      order by o.id limit v_piece - v_contacts for update
    ),
    gone as (
      delete from public.companies o using found f where o.brand_id = p_brand_id and o.id = f.id returning o.id
    )
    select count(*) into v_companies from gone;
  end if;
  update private.imports i
  set deleted_contacts = i.deleted_contacts + v_contacts,
      deleted_companies = i.deleted_companies + v_companies,
      undone_at = case when v_contacts + v_companies < v_piece then now() end
  where i.brand_id = p_brand_id and i.id = p_import_id
  returning * into v_import;
  if v_import.undone_at is not null then
    v_kept := (select count(*) from public.contacts c where c.brand_id = p_brand_id and c.import_id = p_import_id);
  end if;
  return json_build_object(
    'done', v_import.undone_at is not null, 'contacts', v_import.deleted_contacts, 'companies', v_import.deleted_companies, 'kept', v_kept
  );
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.import_contacts(uuid, uuid, jsonb, text), public.read_imports(uuid, uuid), public.undo_import(uuid, uuid)
  from public, anon, authenticated;
grant execute on function public.import_contacts(uuid, uuid, jsonb, text), public.read_imports(uuid, uuid), public.undo_import(uuid, uuid)
  to authenticated, service_role;
