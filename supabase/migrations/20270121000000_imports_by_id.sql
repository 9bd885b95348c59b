-- An import reads the id of a contact ('Banyan ID' in an exported file) in more rows. Before, a row without an e-mail address changed only tags and
-- custom fields of the contact that its id names: its other values were lost, and its company was made for nobody. A row with a new address
-- added a second contact. An id of another brand is like an id that nobody has.

-- has_id: `id` is that of the row as the file has it.
alter type private.import_row add attribute has_id boolean;

-- The rows as they are stored. `id`: of a row with an address, the sent one, unchecked; of a row without one, that of the brand's contact with the
-- sent id, else an id computed from the row: the same row of the same file has the same id, so that a chunk that is sent again, or a
-- file that is continued, adds nobody twice.
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
      case when m.email is not null then m.sent_id else coalesce(
        (select c.id from public.contacts c where c.brand_id = p_brand_id and c.id = m.sent_id),
        overlay(overlay(md5(p_brand_id || e.data::text) placing '8' from 13) placing '8' from 17)::uuid)
      end
    from jsonb_array_elements(p_rows) with ordinality e (data, place)
    cross join lateral (
      select private.trimmed(e.data ->> 'email') as email,
        case when e.data ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (e.data ->> 'id')::uuid end as sent_id
    ) m
  ) t
$$;

drop function private.import_rows(uuid, jsonb);
drop function private.matched_rows(uuid, private.import_row[]);

-- The rows of a chunk, parsed and checked. is_repeated: an earlier row has the same e-mail address.
create function private.parsed_chunk(p_brand_id uuid, p_rows jsonb) returns private.import_row[]
language sql stable set search_path = ''
as $$
  select array_agg(row(
      r.place, (r.data ->> 'row')::integer, r.email, r.email_norm, r.first_name, r.last_name, r.company, lower(r.company collate "und-x-icu"),
      r.problem, r.email_norm is not null and r.problem is null and r.time > 1, r.phone, r.title, r.id, null, null, null,
      coalesce(r.id::text = r.data ->> 'id', false)
    )::private.import_row order by r.place)
  from (
    select p.*, row_number() over (partition by p.email_norm, p.problem is null order by p.place) as time
    from private.parse_import(p_brand_id, p_rows) p
  ) r
$$;

-- The rows that can be saved at once, with the companies and contacts that the brand has, and with an id for each new contact. Of rows that
-- find one contact, the first.
create function private.matched_chunk(p_brand_id uuid, p_rows private.import_row[]) returns private.import_row[]
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  -- A separate array, so that the planner knows how many rows there are.
  v_single constant private.import_row[] := array(select r from unnest(p_rows) r where r.problem is null and not r.is_repeated);
  v_matched private.import_row[];
begin
  v_matched := array(
    select row(
      w.place, w.number, w.email, w.email_norm, w.first_name, w.last_name, w.company, w.company_norm, w.problem, w.is_repeated, w.phone, w.title,
      coalesce(k.id, case when w.email_norm is null then w.id end, gen_random_uuid()), o.id, k.id is not null,
      (w.first_name is not null and k.first_name is distinct from w.first_name)
      or (w.last_name is not null and k.last_name is distinct from w.last_name)
      or (w.phone is not null and k.phone is distinct from w.phone)
      or (w.title is not null and k.title is distinct from w.title)
      or (w.email_norm is not null and k.email_norm is null)
      or (o.id is not null and k.company_id is distinct from o.id),
      w.has_id
    )::private.import_row
    from unnest(v_single) w
    left join lateral (
      select c.id from public.companies c
      where c.brand_id = (select p_brand_id) and lower(c.name) = w.company_norm order by c.created_at, c.id limit 1
    ) o on true
    left join lateral (
      -- One index look-up for each row, however large the brand is. The others only for a row with an id whose address nobody has.
      (select c.* from public.contacts c where c.brand_id = (select p_brand_id) and c.email_norm = w.email_norm limit 1)
      union all
      (
        select c.* from public.contacts c
        where w.has_id and c.brand_id = (select p_brand_id) and c.id = w.id and (w.email_norm is null or c.email_norm is null and not exists (
          select from public.contacts a where a.brand_id = (select p_brand_id) and a.email_norm = w.email_norm
        ))
      )
      limit 1
    ) k on true
  );
  if exists (select from unnest(v_single) w where w.has_id) then
    v_matched := array(
      select m from (select m, row_number() over (partition by m.id order by m.place) as time from unnest(v_matched) m) r where r.time = 1
    );
  end if;
  return v_matched;
end
$$;

-- All rows with a few statements. A second row for the same contact or with the same e-mail depends on the first, and other requests may have been
-- faster with an address: these rows are saved one after the other, after the rest. New contacts are inserted in the order of their
-- addresses, so that two chunks with the same new people wait for each other one way only.
create or replace function private.import_as_set(p_brand_id uuid, p_import_id uuid, p_rows jsonb) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_rows private.import_row[] := private.parsed_chunk(p_brand_id, p_rows);
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
  -- A contact that a row names may have been deleted before the lock was given. The row then adds another contact.
  if exists (select from unnest(v_rows) r where r.has_id) then
    v_rows := private.parsed_chunk(p_brand_id, p_rows);
  end if;

  for i in 1..2 loop
    v_companies := private.missing_companies(p_brand_id, v_rows);
    exit when cardinality(v_companies) = 0;
    if i = 1 then
      perform private.lock_companies(p_brand_id);
    else
      insert into public.companies (brand_id, name) select p_brand_id, n.name from unnest(v_companies) n (name);
    end if;
  end loop;

  v_matched := private.matched_chunk(p_brand_id, v_rows);
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
    set previous = case when excluded.old_rev = k.rev then excluded.previous || k.previous else excluded.previous end,
        old_rev = case when excluded.old_rev = k.rev then k.old_rev else excluded.old_rev end,
        goes = k.goes and excluded.old_rev = k.rev,
        rev = excluded.rev
  ),
  updated as (
    update public.contacts c
    -- A known address stays as it is spelled.
    set email = coalesce(c.email, w.email),
        first_name = coalesce(w.first_name, c.first_name),
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
      -- Without an address and a known id: a row that is there already was sent before.
      when m.is_known and not m.differs or m.email_norm is null and not m.is_known then 'unchanged'
    end as status
    from unnest(v_matched) m
  ) w
  where w.status is not null;

  for v_row in
    select r.* from unnest(v_rows) r left join unnest(v_matched) m on m.place = r.place
    where r.problem is null and r.place not in (select (a ->> 'place')::integer from jsonb_array_elements(v_answers) a)
    -- First those of addresses with which others were faster, in the order of addresses. The contacts of the rest are locked already.
    order by m.place is null, case when m.place is not null then r.email_norm end, r.place
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
        v_row.phone, v_row.title, v_row.id, null, null, null, coalesce(v_row.id::text = v_row.data ->> 'id', false)
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
      if not found and p_row.has_id then
        select * into v_known from public.contacts c where c.brand_id = p_brand_id and c.id = p_row.id and c.email_norm is null;
      end if;
    end if;
    if v_known.id is null then
      insert into public.contacts as c (brand_id, id, email, phone, title, first_name, last_name, company_id, import_id)
      values (
        p_brand_id, coalesce(case when p_row.email_norm is null then p_row.id end, gen_random_uuid()), p_row.email, p_row.phone, p_row.title, p_row.first_name, p_row.last_name,
        v_company_id, p_import_id
      )
      on conflict do nothing
      returning c.id into id;
      status := 'created';
    elsif (p_row.email_norm is not null or p_row.has_id) and (
      (p_row.first_name is not null and v_known.first_name is distinct from p_row.first_name)
      or (p_row.last_name is not null and v_known.last_name is distinct from p_row.last_name)
      or (p_row.phone is not null and v_known.phone is distinct from p_row.phone)
      or (p_row.title is not null and v_known.title is distinct from p_row.title)
      or (p_row.email_norm is not null and v_known.email_norm is null)
      or (v_company_id is not null and v_known.company_id is distinct from v_company_id))
    then
      if p_import_id is distinct from v_known.import_id then
        insert into private.import_changes as k (brand_id, import_id, contact_id, old_rev, rev, previous)
        select p_brand_id, p_import_id, c.id, private.import_rev(c), private.current_rev(), private.import_values(c)
        from public.contacts c where c.brand_id = p_brand_id and c.id = v_known.id and p_import_id is not null
        for no key update
        on conflict (brand_id, import_id, contact_id) do update
        set previous = case when excluded.old_rev = k.rev then excluded.previous || k.previous else excluded.previous end,
            old_rev = case when excluded.old_rev = k.rev then k.old_rev else excluded.old_rev end,
            goes = k.goes and excluded.old_rev = k.rev,
            rev = excluded.rev;
      end if;
      update public.contacts c
      set email = coalesce(c.email, p_row.email),
          first_name = coalesce(p_row.first_name, c.first_name),
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

-- Rows [{ row, id, email, phone, first_name, last_name, title, company, tags, custom }], at most 1,000, in the order of the file; `tags`
-- are names with commas or semicolons between them, `custom` is { id or key of a field: value }. Answers for each one [{ row, status: created |
-- updated | unchanged | error, id, reason, left_out_tags, left_out_values: [{ field, reason }] }]. Each needs an e-mail address or a phone number. A
-- known contact is found and completed: by the address; if nobody has it, by `id`, if this contact has no address, and gets it; without an
-- address by `id`. A phone number finds nobody. A new contact remembers the import that made it; p_file is the name of its
-- file. A chunk may be sent again: nothing is doubled.
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

-- What the undo of an import gives back. An import changes no address: `email` is there, and null, if the contact has none.
create or replace function private.import_values(p_contact public.contacts) returns jsonb
language sql immutable
as $$
  select jsonb_build_object(
    'first_name', p_contact.first_name, 'last_name', p_contact.last_name, 'phone', p_contact.phone, 'title', p_contact.title,
    'company_id', p_contact.company_id, 'tag_ids', p_contact.tag_ids,
    'custom', p_contact.custom
  ) || case when p_contact.email is null then '{"email": null}'::jsonb else '{}' end
$$;

-- Deletes what an import has added, and restores what it has changed, at most 500 rows a call: call it until the answer says
-- `done`. Contacts that were changed since stay as they are, and those that a deal or task names are not deleted. Then go the
-- companies that it added, that were not changed and that nobody uses. What stays because a later import has changed it passes to
-- that import, so that both undos in either order leave what was before both. Answers { done, contacts, companies, restored, kept,
-- changed }: what all calls together have deleted and restored, and then, null until it is done, the contacts that it added and
-- that stay, and those of before that somebody or a later import has changed since.
create or replace function public.undo_import(p_brand_id uuid, p_import_id uuid) returns json
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_generic_plan
as $$
declare
  v_piece constant integer := 500;
  v_import private.imports;
  v_revs bigint[];
  v_ids uuid[];
  v_going uuid[];
  v_contacts integer;
  v_restored integer := 0;
  v_passed integer := 0;
  v_companies integer := 0;
  v_kept integer;
  v_changed integer;
begin
  perform private.assert_member(p_brand_id);
  -- A chunk of this import that is being written, or another undo, is waited for.
  perform pg_advisory_xact_lock(hashtextextended('import ' || p_import_id, 0));
  select * into v_import from private.imports i where i.brand_id = p_brand_id and i.id = p_import_id for update;
  if not found then
    raise exception 'This import is not known.' using errcode = '22023';
  end if;
  -- What is deleted and restored below is locked by id, as a chunk locks it (private.lock_chunk). An import is walked by its index, in the
  -- order of ids: else each piece would look at all that is left of it. A full piece is not the last one, even if some of it stays.
  v_going := array(
    select a.id
    from (
      select c.id, c as contact from public.contacts c
      where c.brand_id = (select p_brand_id) and c.import_id = p_import_id order by c.id offset 0
    ) a
    where private.is_as_imported(a.contact, v_import.revs) limit v_piece
  );
  v_going := v_going || array(
    select a.id from private.import_changes k join public.contacts a on a.brand_id = (select p_brand_id) and a.id = k.contact_id
    where k.brand_id = (select p_brand_id) and k.import_id = p_import_id and k.goes and private.is_as_imported(a, array[k.rev])
    order by a.id limit v_piece - cardinality(v_going)
  );
  v_ids := v_going || array(
    select k.contact_id from private.import_changes k join public.contacts a on a.brand_id = (select p_brand_id) and a.id = k.contact_id
    where k.brand_id = (select p_brand_id) and k.import_id = p_import_id and private.import_rev(a) = k.rev order by k.contact_id limit v_piece
  );
  perform from public.contacts c where c.brand_id = (select p_brand_id) and c.id = any (v_ids) order by c.id for update;
  with gone as (
    -- Once more, as one that was waited for may have changed a contact.
    delete from public.contacts c
    where c.brand_id = (select p_brand_id) and c.id = any (v_going) and (
      (c.import_id = p_import_id and private.is_as_imported(c, v_import.revs))
      or exists (
        select from private.import_changes k
        where k.brand_id = p_brand_id and k.import_id = p_import_id and k.contact_id = c.id and k.goes and private.is_as_imported(c, array[k.rev])
      )
    )
    returning c.id
  )
  select count(*) into v_contacts from gone;
  if cardinality(v_going) < v_piece then
    with found as materialized (
      select k.contact_id, k.previous, k.old_rev
      from private.import_changes k join public.contacts c on c.brand_id = (select p_brand_id) and c.id = k.contact_id
      where k.brand_id = (select p_brand_id) and k.import_id = p_import_id and private.import_rev(c) = k.rev
      order by k.contact_id limit v_piece - cardinality(v_going) for update of c
    ),
    restored as (
      update public.contacts c
      set email = case when f.previous ? 'email' then null else c.email end,
          first_name = f.previous ->> 'first_name',
          last_name = f.previous ->> 'last_name',
          phone = f.previous ->> 'phone',
          title = f.previous ->> 'title',
          -- The company of before may have been deleted since.
          company_id = (select o.id from public.companies o where o.brand_id = p_brand_id and o.id = (f.previous ->> 'company_id')::uuid),
          -- Imports of earlier versions changed no tags and no custom fields.
          tag_ids = case when f.previous ? 'tag_ids' then array(select jsonb_array_elements_text(f.previous -> 'tag_ids')::uuid) else c.tag_ids end,
          custom = case when f.previous ? 'custom' then private.custom_restored(p_brand_id, c.custom, f.previous -> 'custom') else c.custom end
      from found f where c.brand_id = (select p_brand_id) and c.id = f.contact_id
      returning c.id, c.rev, f.old_rev, private.import_values(c) = private.import_values(c) || f.previous as is_exact
    ),
    noted as (
      insert into private.import_restored as s (brand_id, contact_id, rev, as_rev)
      select p_brand_id, r.id, r.rev, r.old_rev from restored r where r.is_exact
      on conflict (brand_id, contact_id) do update set rev = excluded.rev, as_rev = excluded.as_rev
    ),
    -- What imports after that revision have changed is gone, too.
    forgotten as (
      delete from private.import_changes k using found f
      where k.brand_id = (select p_brand_id) and k.contact_id = f.contact_id and (k.import_id = p_import_id or k.rev > f.old_rev)
    )
    select count(*) into v_restored from restored;
  end if;
  if cardinality(v_going) + v_restored < v_piece then
    with found as materialized (
      select n.import_id, n.contact_id, n.old_rev, n.previous, true as goes
      from public.contacts c join private.import_changes n on n.brand_id = (select p_brand_id) and n.contact_id = c.id
      where c.brand_id = (select p_brand_id) and c.import_id = p_import_id and n.old_rev = any (v_import.revs) and not n.goes
      union all
      select n.import_id, n.contact_id, k.old_rev, k.previous, k.goes
      from private.import_changes k join private.import_changes n on n.brand_id = (select p_brand_id) and n.contact_id = k.contact_id
      where k.brand_id = (select p_brand_id) and k.import_id = p_import_id and n.import_id <> p_import_id
        and n.old_rev = k.rev and k.old_rev <> k.rev
      order by contact_id limit v_piece - cardinality(v_going) - v_restored
    ),
    passed as (
      update private.import_changes n set old_rev = f.old_rev, previous = n.previous || f.previous, goes = f.goes
      from found f where n.brand_id = (select p_brand_id) and n.import_id = f.import_id and n.contact_id = f.contact_id
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
  if cardinality(v_going) + v_restored + v_passed < v_piece then
    v_revs := private.import_revs(p_brand_id, p_import_id);
    with found as materialized (
      select o.id from public.companies o
      where o.brand_id = (select p_brand_id) and o.rev = any (v_revs) and not private.is_used(o)
      order by o.id limit v_piece - cardinality(v_going) - v_restored - v_passed for update
    ),
    gone as (
      delete from public.companies o using found f where o.brand_id = (select p_brand_id) and o.id = f.id returning o.id
    )
    select count(*) into v_companies from gone;
  end if;
  update private.imports i
  set deleted_contacts = i.deleted_contacts + v_contacts,
      restored_contacts = i.restored_contacts + v_restored,
      deleted_companies = i.deleted_companies + v_companies,
      undone_at = case when cardinality(v_going) + v_restored + v_passed + v_companies < v_piece then now() end
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

-- What import_contacts would change with these rows (as it takes them, at most 5,000) in contacts that are known, in the order of the
-- rows: [{ id, email, before, after }]; `custom` in both is as the contact has it, and `email` is in them if it has no address. Of rows that find one
-- contact the later values count, and the tags of all. Writes nothing.
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
      select r.*, coalesce(r.id::text = r.data ->> 'id', false) as has_id from private.parse_import(p_brand_id, p_rows) r where r.problem is null
    ),
    found as materialized (
      select p.*, k.id as by_email, n.id as by_id
      from parsed p
      left join lateral (
        -- One index look-up for each row, however large the brand is.
        select c.id from public.contacts c where c.brand_id = (select p_brand_id) and c.email_norm = p.email_norm limit 1
      ) k on true
      left join lateral (
        select c.id from public.contacts c
        where p.has_id and k.id is null and c.brand_id = (select p_brand_id) and c.id = p.id and (p.email_norm is null or c.email_norm is null)
      ) n on true
    ),
    -- The new address of a contact without one: of its first row with an address, if that is the first row with this address.
    addressed as materialized (
      select distinct on (f.by_id) f.by_id, f.email_norm
      from (
        select distinct on (n.email_norm) n.email_norm, n.by_id, n.place from found n
        where n.email_norm is not null and n.by_email is null order by n.email_norm, n.place
      ) f
      where f.by_id is not null order by f.by_id, f.place
    ),
    matched as materialized (
      select f.*, coalesce(f.by_email, a.by_id, f.by_id) as contact_id
      from found f left join addressed a on a.email_norm = f.email_norm
      where f.by_email is not null or a.by_id is not null or f.email_norm is null and f.by_id is not null
    ),
    valued as materialized (
      select r.contact_id, jsonb_object_agg(g.field_id, g.value order by g.place) as custom
      from matched r join private.imported_custom(p_brand_id, p_rows) g on g.place = r.place
      where g.value is not null group by r.contact_id
    ),
    wanted as materialized (
      select min(r.place) as place, r.contact_id, (array_agg(r.email order by r.place) filter (where r.email is not null))[1] as email, jsonb_strip_nulls(jsonb_build_object(
          'first_name', (array_agg(r.first_name order by r.place desc) filter (where r.first_name is not null))[1],
          'last_name', (array_agg(r.last_name order by r.place desc) filter (where r.last_name is not null))[1],
          'phone', (array_agg(r.phone order by r.place desc) filter (where r.phone is not null))[1],
          'title', (array_agg(r.title order by r.place desc) filter (where r.title is not null))[1],
          'company', (array_agg(r.company order by r.place desc) filter (where r.company is not null))[1]
        )) as given, array_agg(r.place) as places
      from matched r
      group by r.contact_id
    ),
    tagged as materialized (
      select m.place, m.name, m.id from private.imported_tags(p_brand_id, p_rows) m
      where m.id is not null or length(m.name) <= 50 and (private.is_service() or p_brand_id = any (array(select private.my_brand_ids('admin'))))
    ),
    known as (
      select w.place, c.id, c.email, private.import_values_read(p_brand_id, private.import_values(c)) as before,
        -- A company that is there already, in its spelling, whatever the case is in the file.
        w.given || jsonb_strip_nulls(jsonb_build_object('email', case when c.email is null then w.email end, 'company', (
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
      from wanted w left join valued v using (contact_id) cross join lateral (
        select c.* from public.contacts c where c.brand_id = (select p_brand_id) and c.id = w.contact_id limit 1
      ) c
    )
    select coalesce(json_agg(json_build_object('id', k.id, 'email', k.email, 'before', k.before, 'after', k.before || k.given) order by k.place), '[]')
    from known k where k.before || k.given <> k.before
  );
end
$$;

revoke execute on all functions in schema private from public;
