-- Undo of an import also gives contacts of before the values back that the import has changed, as far as nobody has changed
-- them since. Their values of before are kept for the 20 imports that read_imports lists.

-- `previous` has the values of the contact before the import, whose revision was `old_rev`; `rev` is the one that the import
-- gave it.
create table private.import_changes (
  brand_id uuid not null,
  import_id uuid not null,
  contact_id uuid not null,
  old_rev bigint not null,
  rev bigint not null,
  previous jsonb not null,
  primary key (brand_id, import_id, contact_id),
  foreign key (brand_id, contact_id) references public.contacts (brand_id, id) on delete cascade
);
create index import_changes_by_contact_idx on private.import_changes (brand_id, contact_id);
alter table private.import_changes enable row level security;
revoke all on private.import_changes from public, anon, authenticated, service_role;

-- Contacts that undo_import has given their values back.
alter table private.imports add column restored_contacts integer not null default 0;

-- What an import may change in a known contact.
create function private.import_values(p_contact public.contacts) returns jsonb
language sql immutable
as $$
  select jsonb_build_object(
    'first_name', p_contact.first_name, 'last_name', p_contact.last_name, 'phone', p_contact.phone, 'title', p_contact.title,
    'company_id', p_contact.company_id
  )
$$;

-- Notes what a chunk has written. Called last, because it locks the line of the import. Forgets, a piece a chunk, the values
-- that imports of long ago have changed: a chunk keeps 1,000 at most.
create or replace function private.note_import(p_brand_id uuid, p_import_id uuid, p_file text, p_answers jsonb) returns void
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
  if v_updated > 0 then
    delete from private.import_changes where ctid = any (array(
      select k.ctid from private.import_changes k
      where k.brand_id = p_brand_id and k.import_id in (
        select i.id from private.imports i where i.brand_id = p_brand_id order by i.started_at desc, i.id offset 20
      )
      limit 2000
    ));
  end if;
end
$$;

-- THE IMPORT

-- One row, after the rule of upsert_contact: a missing value keeps what is stored. An imported contact belongs to nobody.
create or replace function private.import_contact_row(p_brand_id uuid, p_row private.import_row, p_import_id uuid, out id uuid, out status text)
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
      if p_import_id is distinct from v_known.import_id then
        insert into private.import_changes as k (brand_id, import_id, contact_id, old_rev, rev, previous)
        select p_brand_id, p_import_id, c.id, c.rev, private.current_rev(), private.import_values(c)
        from public.contacts c where c.brand_id = p_brand_id and c.id = v_known.id and p_import_id is not null
        for no key update
        on conflict (brand_id, import_id, contact_id) do update
        set previous = case when excluded.old_rev = k.rev then k.previous else excluded.previous end, old_rev = excluded.old_rev, rev = excluded.rev;
      end if;
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

-- All rows with a few statements. Rows whose e-mail comes more than once in the chunk depend on each other, and other requests
-- may have been faster with an address: these rows are saved one after the other, after the rest.
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
    select c.id, c.import_id, c.rev, private.import_values(c) as previous from public.contacts c
    where c.brand_id = p_brand_id and c.id in (select k.id from known k where k.differs)
    order by c.id for no key update
  ),
  -- Of a contact that another chunk of this import has changed, the values of before the import stay, unless somebody has
  -- changed it in between. What the import itself has created goes as a whole.
  kept as (
    insert into private.import_changes as k (brand_id, import_id, contact_id, old_rev, rev, previous)
    select p_brand_id, p_import_id, l.id, l.rev, private.current_rev(), l.previous
    from locked l where p_import_id is not null and l.import_id is distinct from p_import_id
    on conflict (brand_id, import_id, contact_id) do update
    set previous = case when excluded.old_rev = k.rev then k.previous else excluded.previous end, old_rev = excluded.old_rev, rev = excluded.rev
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

-- TAKEN BACK

-- The latest 20 imports of a brand that wrote something, newest first; or the one with this id, with how many of its contacts
-- undo_import deletes (`removable`) and how many stay (`kept`), and how many contacts of before get their values back
-- (`restorable`) and how many do not, because somebody has changed them since (`changed`). `holds_values`: there are such.
create or replace function public.read_imports(p_brand_id uuid, p_import_id uuid default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_found json;
begin
  perform private.assert_member(p_brand_id);
  select coalesce(json_agg(json_build_object(
      'id', i.id, 'file_name', i.file_name, 'created', i.created, 'updated', i.updated, 'started_at', i.started_at, 'started_by', i.started_by,
      'deleted_contacts', i.deleted_contacts, 'deleted_companies', i.deleted_companies, 'undone_at', i.undone_at,
      'restored_contacts', i.restored_contacts, 'removable', n.removable, 'kept', n.kept, 'restorable', r.restorable, 'changed', r.changed,
      'holds_values', exists (select from private.import_changes k where k.brand_id = p_brand_id and k.import_id = i.id)
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
  ) n on p_import_id is not null
  left join lateral (
    select count(*) filter (where c.rev = k.rev) as restorable, count(*) filter (where c.rev <> k.rev) as changed
    from private.import_changes k join public.contacts c on c.brand_id = p_brand_id and c.id = k.contact_id
    where k.brand_id = p_brand_id and k.import_id = i.id
  ) r on p_import_id is not null;
  return v_found;
end
$$;

-- Deletes what an import has added, and restores what it has changed, at most 500 rows a call: call it until the answer says
-- `done`. Contacts that were changed since stay as they are, and those that a deal or task names are not deleted. Then go the
-- companies that it added, that were not changed and that nobody uses. Answers { done, contacts, companies, restored, kept,
-- changed }: what all calls together have deleted and restored, and then, null until it is done, the contacts that it added and
-- that stay, and those of before that somebody has changed since.
create or replace function public.undo_import(p_brand_id uuid, p_import_id uuid) returns json
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_piece constant integer := 500;
  v_import private.imports;
  v_contacts integer;
  v_restored integer := 0;
  v_companies integer := 0;
  v_kept integer;
  v_changed integer;
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
      select k.contact_id, k.previous
      from private.import_changes k join public.contacts c on c.brand_id = p_brand_id and c.id = k.contact_id
      where k.brand_id = p_brand_id and k.import_id = p_import_id and c.rev = k.rev
      order by k.contact_id limit v_piece - v_contacts for update of c
    ),
    restored as (
      update public.contacts c
      set first_name = f.previous ->> 'first_name',
          last_name = f.previous ->> 'last_name',
          phone = f.previous ->> 'phone',
          title = f.previous ->> 'title',
          -- The company of before may have been deleted since.
          company_id = (select o.id from public.companies o where o.brand_id = p_brand_id and o.id = (f.previous ->> 'company_id')::uuid)
      from found f where c.brand_id = p_brand_id and c.id = f.contact_id
      returning c.id
    ),
    forgotten as (
      delete from private.import_changes k using found f
      where k.brand_id = p_brand_id and k.import_id = p_import_id and k.contact_id = f.contact_id
    )
    select count(*) into v_restored from restored;
  end if;
  if v_contacts + v_restored < v_piece then
    with found as materialized (
      select o.id from public.companies o
      where o.brand_id = p_brand_id and o.rev = any (v_import.revs)
        and not exists (select from public.contacts c where c.brand_id = p_brand_id and c.company_id = o.id)
        and not exists (select from public.deals d where d.brand_id = p_brand_id and d.company_id = o.id)
      order by o.id limit v_piece - v_contacts - v_restored for update
    ),
    gone as (
      delete from public.companies o using found f where o.brand_id = p_brand_id and o.id = f.id returning o.id
    )
    select count(*) into v_companies from gone;
  end if;
  update private.imports i
  set deleted_contacts = i.deleted_contacts + v_contacts,
      restored_contacts = i.restored_contacts + v_restored,
      deleted_companies = i.deleted_companies + v_companies,
      undone_at = case when v_contacts + v_restored + v_companies < v_piece then now() end
  where i.brand_id = p_brand_id and i.id = p_import_id
  returning * into v_import;
  if v_import.undone_at is not null then
    v_kept := (select count(*) from public.contacts c where c.brand_id = p_brand_id and c.import_id = p_import_id);
    v_changed := (select count(*) from private.import_changes k where k.brand_id = p_brand_id and k.import_id = p_import_id);
  end if;
  return json_build_object(
    'done', v_import.undone_at is not null, 'contacts', v_import.deleted_contacts, 'companies', v_import.deleted_companies,
    'restored', v_import.restored_contacts, 'kept', v_kept, 'changed', v_changed
  );
end
$$;

revoke execute on all functions in schema private from public;
