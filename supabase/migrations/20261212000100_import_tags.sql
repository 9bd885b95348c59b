-- The import takes tags: names in a column. Known ones are found without regard to case, unknown ones are made where an admin or owner
-- imports, and are else named in the answer. The undo of an import gives contacts of before their tags back.

create or replace function private.import_values(p_contact public.contacts) returns jsonb
language sql immutable
as $$
  select jsonb_build_object(
    'first_name', p_contact.first_name, 'last_name', p_contact.last_name, 'phone', p_contact.phone, 'title', p_contact.title,
    'company_id', p_contact.company_id, 'tag_ids', p_contact.tag_ids
  )
$$;

-- The names of tags in the rows of an import, with the id of the tag where there is one. `place` is that of the row.
create function private.imported_tags(p_brand_id uuid, p_rows jsonb) returns table (place bigint, name text, id uuid)
language sql stable set search_path = ''
as $$
  select n.place, n.name, t.id
  from (
    select distinct on (r.place, lower(s.name collate "und-x-icu")) r.place, s.name
    from jsonb_array_elements(p_rows) with ordinality r (data, place)
    cross join lateral (
      select private.name_or_null(part.text) as name from regexp_split_to_table(left(r.data ->> 'tags', 4000), '[,;]') part (text)
    ) s
    where jsonb_typeof(r.data -> 'tags') = 'string' and s.name is not null
  ) n
  left join public.tags t on t.brand_id = p_brand_id and lower(t.name) = lower(n.name collate "und-x-icu")
$$;

-- Gives imported contacts the tags of their rows beside those that they have, 30 at most. Answers p_answers with what changed: a contact
-- that was unchanged until here is updated, and `left_out_tags` names the tags that it did not get.
create function private.add_imported_tags(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_answers jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_custom_plan
as $$
declare
  v_most constant integer := 30;
  v_most_of_brand constant integer := 200;
  v_name text;
  v_answers jsonb;
begin
  if not jsonb_path_exists(p_rows, '$[*].tags ? (@ != "")') then
    return p_answers;
  end if;
  if private.is_service() or p_brand_id = any (array(select private.my_brand_ids('admin'))) then
    for v_name in
      select n.name from (
        select distinct on (lower(m.name collate "und-x-icu")) m.name, m.place from private.imported_tags(p_brand_id, p_rows) m
        where m.id is null and length(m.name) <= 50 order by lower(m.name collate "und-x-icu"), m.place
      ) n
      order by n.place
      limit v_most_of_brand
    loop
      exit when (select count(*) from public.tags t where t.brand_id = p_brand_id) >= v_most_of_brand;
      insert into public.tags (brand_id, name) values (p_brand_id, v_name) on conflict do nothing;
    end loop;
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
    from given g join public.contacts c on c.brand_id = p_brand_id and c.id = g.contact_id
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
    from locked l where c.brand_id = p_brand_id and c.id = l.id
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

-- Rows [{ row, email, phone, first_name, last_name, title, company, tags }], at most 1,000, in the order of the file; `tags` are
-- names with commas or semicolons between them. Answers for each
-- one [{ row, status: created | updated | unchanged | error, id, reason, left_out_tags }]. Each needs an e-mail address, by which a known contact
-- is found and completed, or a phone number, by which none is. A new contact remembers the import that made it; p_file is the
-- name of its file. A chunk may be sent again: nothing is doubled.
create or replace function public.import_contacts(p_brand_id uuid, p_import_id uuid, p_rows jsonb, p_file text default null) returns jsonb
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
  v_answers := private.add_imported_tags(p_brand_id, p_import_id, p_rows, v_answers);
  perform private.note_import(p_brand_id, p_import_id, p_file, v_answers);
  return v_answers;
end
$$;

-- TAKEN BACK

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
          company_id = (select o.id from public.companies o where o.brand_id = p_brand_id and o.id = (f.previous ->> 'company_id')::uuid),
          -- Imports of earlier versions changed no tags.
          tag_ids = case when f.previous ? 'tag_ids' then array(select jsonb_array_elements_text(f.previous -> 'tag_ids')::uuid) else c.tag_ids end
      from found f where c.brand_id = p_brand_id and c.id = f.contact_id
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
