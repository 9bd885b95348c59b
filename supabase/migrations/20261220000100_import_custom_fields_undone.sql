-- The undo of an import gives values of custom fields back.

-- The patch that makes these values of custom fields of those before. A field that was deleted since does not come back.
create function private.custom_restored(p_brand_id uuid, p_now jsonb, p_before jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(k.id, coalesce(p_before -> k.id, 'null')), '{}')
  from jsonb_object_keys(p_now || p_before) k (id)
  where not p_before ? k.id or exists (
    select from public.custom_fields f where f.brand_id = p_brand_id and f."table" = 'contacts' and f.id::text = k.id
  )
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
  -- What is deleted and restored below is locked by id, as a chunk locks it (private.lock_import). An import is walked by its index, in the
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
      set first_name = f.previous ->> 'first_name',
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
      update private.import_changes n set old_rev = f.old_rev, previous = f.previous, goes = f.goes
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

revoke execute on all functions in schema private from public;
