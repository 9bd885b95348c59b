-- Imports and their undo are no edit of a person: imports that have written the same contacts can be undone in any order, and
-- leave what was before them.

-- A contact whose revision is `rev` has the values again that it had at `as_rev`: the undo of an import has restored them.
create table private.import_restored (
  brand_id uuid not null,
  contact_id uuid not null,
  rev bigint not null,
  as_rev bigint not null,
  primary key (brand_id, contact_id),
  foreign key (brand_id, contact_id) references public.contacts (brand_id, id) on delete cascade
);
alter table private.import_restored enable row level security;
revoke all on private.import_restored from public, anon, authenticated, service_role;

-- An undone import whose contacts have passed to a later one, which has changed them: the undo of that one deletes the
-- companies of both. Without a reference to the imports, so that two undos at once do not lock each other's line.
create table private.import_heirs (
  brand_id uuid not null references public.brands on delete cascade,
  heir_id uuid not null,
  import_id uuid not null,
  primary key (brand_id, heir_id, import_id)
);
alter table private.import_heirs enable row level security;
revoke all on private.import_heirs from public, anon, authenticated, service_role;

-- The import that has added the contact is undone: the undo of this one deletes it, unless a deal or task names it.
alter table private.import_changes add column goes boolean not null default false;

-- The revision by which imports know a contact: while it is as an undo has restored it, that of these values.
create function private.import_rev(p_contact public.contacts) returns bigint
language sql stable
as $$
  select coalesce(
    (
      select s.as_rev from private.import_restored s
      where s.brand_id = p_contact.brand_id and s.contact_id = p_contact.id and s.rev = p_contact.rev
    ),
    p_contact.rev)
$$;

-- Whether a deal or task names a contact.
create function private.is_named(p_contact public.contacts) returns boolean
language sql stable
as $$
  select exists (select from public.deals d where d.brand_id = p_contact.brand_id and d.contact_id = p_contact.id)
    or exists (select from public.tasks t where t.brand_id = p_contact.brand_id and t.contact_id = p_contact.id)
$$;

-- Whether a contact or deal names a company.
create function private.is_used(p_company public.companies) returns boolean
language sql stable
as $$
  select exists (select from public.contacts c where c.brand_id = p_company.brand_id and c.company_id = p_company.id)
    or exists (select from public.deals d where d.brand_id = p_company.brand_id and d.company_id = p_company.id)
$$;

-- The revisions of an import, and of the undone ones whose contacts have passed to it.
create function private.import_revs(p_brand_id uuid, p_import_id uuid) returns bigint[]
language sql stable set search_path = ''
as $$
  select array(
    select unnest(i.revs) from private.imports i
    where i.brand_id = p_brand_id and (i.id = p_import_id or i.undone_at is not null and i.id in (
      select h.import_id from private.import_heirs h where h.brand_id = p_brand_id and h.heir_id = p_import_id
    ))
  )
$$;

-- Whether a contact is as its import left it, and no deal or task names it.
create or replace function private.is_as_imported(p_contact public.contacts, p_revs bigint[]) returns boolean
language sql stable
as $$
  select private.import_rev(p_contact) = any (p_revs) and not private.is_named(p_contact)
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
        select p_brand_id, p_import_id, c.id, private.import_rev(c), private.current_rev(), private.import_values(c)
        from public.contacts c where c.brand_id = p_brand_id and c.id = v_known.id and p_import_id is not null
        for no key update
        on conflict (brand_id, import_id, contact_id) do update
        set previous = case when excluded.old_rev = k.rev then k.previous else excluded.previous end,
            old_rev = case when excluded.old_rev = k.rev then k.old_rev else excluded.old_rev end,
            goes = k.goes and excluded.old_rev = k.rev,
            rev = excluded.rev;
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
    select c.id, c.import_id, private.import_rev(c) as rev, private.import_values(c) as previous from public.contacts c
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
-- undo_import deletes (`removable`) and how many stay (`kept`), how many contacts of before get their values back (`restorable`)
-- and how many do not, because somebody or a later import has changed them since (`changed`), and the companies that go because
-- nobody uses them now (`unused_companies`). `holds_values`: there are contacts of before.
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
      'restored_contacts', i.restored_contacts, 'removable', n.removable + r.removable, 'kept', n.kept + r.kept, 'restorable', r.restorable, 'changed', r.changed,
      'unused_companies', u.companies,
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
    select count(*) filter (where s.is_left and s.goes and not s.is_named) as removable,
      count(*) filter (where s.is_left and (s.is_named or not s.goes)) as restorable,
      count(*) filter (where s.goes and not s.is_left) as kept,
      count(*) filter (where not s.goes and not s.is_left) as changed
    from (
      select k.goes, private.import_rev(c) = k.rev as is_left, k.goes and private.is_named(c) as is_named
      from private.import_changes k join public.contacts c on c.brand_id = p_brand_id and c.id = k.contact_id
      where k.brand_id = p_brand_id and k.import_id = i.id
    ) s
  ) r on p_import_id is not null
  left join lateral (
    select count(*) as companies from (select private.import_revs(p_brand_id, i.id) as revs) a
    join public.companies o on o.brand_id = p_brand_id and o.rev = any (a.revs) and not private.is_used(o)
  ) u on p_import_id is not null;
  return v_found;
end
$$;

-- Deletes what an import has added, and restores what it has changed, at most 500 rows a call: call it until the answer says
-- `done`. Contacts that were changed since stay as they are, and those that a deal or task names are not deleted. Then go the
-- companies that it added, that were not changed and that nobody uses. What stays because a later import has changed it passes to
-- that import, so that both undos in either order leave what was before both. Answers { done, contacts, companies, restored, kept,
-- changed }: what all calls together have deleted and restored, and then, null until it is done, the contacts that it added and
-- that stay, and those of before that somebody or a later import has changed since.
create or replace function public.undo_import(p_brand_id uuid, p_import_id uuid) returns json
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_piece constant integer := 500;
  v_import private.imports;
  v_revs bigint[];
  v_contacts integer;
  v_restored integer := 0;
  v_passed integer := 0;
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
  with added as materialized (
    select c.id from public.contacts c
    where c.brand_id = p_brand_id and c.import_id = p_import_id and private.is_as_imported(c, v_import.revs)
    order by c.id limit v_piece for update
  ),
  passed as materialized (
    select c.id from private.import_changes k join public.contacts c on c.brand_id = p_brand_id and c.id = k.contact_id
    where k.brand_id = p_brand_id and k.import_id = p_import_id and k.goes and private.is_as_imported(c, array[k.rev])
    order by c.id limit v_piece for update of c
  ),
  gone as (
    delete from public.contacts c using (select id from added union all select id from passed limit v_piece) f
    where c.brand_id = p_brand_id and c.id = f.id returning c.id
  )
  select count(*) into v_contacts from gone;
  if v_contacts < v_piece then
    with found as materialized (
      select k.contact_id, k.previous, k.old_rev
      from private.import_changes k join public.contacts c on c.brand_id = p_brand_id and c.id = k.contact_id
      where k.brand_id = p_brand_id and k.import_id = p_import_id and private.import_rev(c) = k.rev
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
      returning c.id, c.rev, f.old_rev, private.import_values(c) = f.previous as is_exact
    ),
    noted as (
      insert into private.import_restored as s (brand_id, contact_id, rev, as_rev)
      select p_brand_id, r.id, r.rev, r.old_rev from restored r where r.is_exact
      on conflict (brand_id, contact_id) do update set rev = excluded.rev, as_rev = excluded.as_rev
    ),
    -- What imports after that revision have changed is gone, too.
    forgotten as (
      delete from private.import_changes k using found f
      where k.brand_id = p_brand_id and k.contact_id = f.contact_id and (k.import_id = p_import_id or k.rev > f.old_rev)
    )
    select count(*) into v_restored from restored;
  end if;
  if v_contacts + v_restored < v_piece then
    with found as materialized (
      select n.import_id, n.contact_id, n.old_rev, n.previous, true as goes
      from public.contacts c join private.import_changes n on n.brand_id = p_brand_id and n.contact_id = c.id
      where c.brand_id = p_brand_id and c.import_id = p_import_id and n.old_rev = any (v_import.revs) and not n.goes
      union all
      select n.import_id, n.contact_id, k.old_rev, k.previous, k.goes
      from private.import_changes k join private.import_changes n on n.brand_id = p_brand_id and n.contact_id = k.contact_id
      where k.brand_id = p_brand_id and k.import_id = p_import_id and n.import_id <> p_import_id
        and n.old_rev = k.rev and k.old_rev <> k.rev
      order by contact_id limit v_piece - v_contacts - v_restored
    ),
    passed as (
      update private.import_changes n set old_rev = f.old_rev, previous = f.previous, goes = f.goes
      from found f where n.brand_id = p_brand_id and n.import_id = f.import_id and n.contact_id = f.contact_id
      returning n.import_id
    ),
    heirs as (
      insert into private.import_heirs (brand_id, heir_id, import_id)
      select distinct p_brand_id, p.import_id, o.import_id
      from passed p cross join (
        select p_import_id as import_id
        union all
        select h.import_id from private.import_heirs h where h.brand_id = p_brand_id and h.heir_id = p_import_id
      ) o
      on conflict do nothing
    )
    select count(*) into v_passed from found;
  end if;
  if v_contacts + v_restored + v_passed < v_piece then
    v_revs := private.import_revs(p_brand_id, p_import_id);
    with found as materialized (
      select o.id from public.companies o
      where o.brand_id = p_brand_id and o.rev = any (v_revs) and not private.is_used(o)
      order by o.id limit v_piece - v_contacts - v_restored - v_passed for update
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
      undone_at = case when v_contacts + v_restored + v_passed + v_companies < v_piece then now() end
  where i.brand_id = p_brand_id and i.id = p_import_id
  returning * into v_import;
  if v_import.undone_at is not null then
    select count(*) filter (where k.goes), count(*) filter (where not k.goes) into v_kept, v_changed
    from private.import_changes k where k.brand_id = p_brand_id and k.import_id = p_import_id;
    v_kept := v_kept + (select count(*) from public.contacts c where c.brand_id = p_brand_id and c.import_id = p_import_id);
  end if;
  return json_build_object(
    'done', v_import.undone_at is not null, 'contacts', v_import.deleted_contacts, 'companies', v_import.deleted_companies,
    'restored', v_import.restored_contacts, 'kept', v_kept, 'changed', v_changed
  );
end
$$;

revoke execute on all functions in schema private from public;
