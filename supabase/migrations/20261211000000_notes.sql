-- Notes: what was written about a contact, a company or a deal, and calls, meetings and emails that were logged. Everybody of the brand reads
-- them, and pins them. The author alone changes what a note says; the author, admins and owners delete it (decision 060).

create table public.notes (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null default 'note' check (kind in ('note', 'call', 'meeting', 'email')),
  -- Markdown: bold, lists and links are shown, all else as it was typed. A mention is `@[Name](user:uuid)`.
  body text not null check (body <> '' and length(body) <= 10000),
  -- Who wrote it: set here, never by a client. Without a foreign key, so that it outlives the membership.
  author_id uuid,
  occurred_at timestamptz not null default now() check (occurred_at >= '0001-01-02 00:00+00' and occurred_at < '9999-12-31 00:00+00'),
  contact_id uuid,
  company_id uuid,
  deal_id uuid,
  pinned boolean not null default false,
  rev bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid,
  updated_by uuid,
  primary key (brand_id, id),
  foreign key (brand_id, contact_id) references public.contacts on delete set null (contact_id),
  foreign key (brand_id, company_id) references public.companies on delete set null (company_id),
  foreign key (brand_id, deal_id) references public.deals on delete set null (deal_id)
);
create index notes_of_contact_idx on public.notes (brand_id, contact_id, occurred_at desc, id) where contact_id is not null;
create index notes_of_company_idx on public.notes (brand_id, company_id, occurred_at desc, id) where company_id is not null;
create index notes_of_deal_idx on public.notes (brand_id, deal_id, occurred_at desc, id) where deal_id is not null;

-- Whose deletion took the last link of a row away, and the row with it: it comes back with that record.
alter table private.tombstones add column orphaned boolean not null default false;

-- WRITTEN

-- The text without white space at its ends, its author, and at least one link. A restored note stays as it was. Where nothing that it belonged
-- to is left, it stays away until that comes back.
create function private.tidy_note() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' and coalesce(current_setting('private.restoring', true), '') <> '' then
    if num_nonnulls(new.contact_id, new.company_id, new.deal_id) = 0 then
      update private.tombstones t set orphaned = true
      where t.brand_id = new.brand_id and t.table_name = 'notes' and t.row_id = new.id;
      return null;
    end if;
    return new;
  end if;
  new.body := private.required_name(new.body);
  if tg_op = 'UPDATE' then
    new.author_id := old.author_id;
    return new;
  end if;
  if num_nonnulls(new.contact_id, new.company_id, new.deal_id) = 0 then
    raise exception 'A note needs a contact, a company or a deal.' using errcode = '23514';
  end if;
  if not private.is_service() then
    if new.author_id is not null and new.author_id is distinct from auth.uid() then
      raise exception 'A note is written in one''s own name.' using errcode = '42501';
    end if;
    new.author_id := auth.uid();
  end if;
  return new;
end
$$;
create trigger tidy before insert or update on public.notes for each row execute function private.tidy_note();

-- What a client may do with a note of somebody else. It runs with the caller's rights: foreign keys, restored links and an operator's script
-- act as another role. (It comes before the other triggers by its name.)
create function private.assert_author() returns trigger
language plpgsql
as $$
begin
  if current_user = 'authenticated' and old.author_id is distinct from auth.uid() then
    if tg_op = 'UPDATE' then
      raise exception 'Only its author can change a note.' using errcode = '42501';
    elsif old.brand_id <> all (array(select private.my_brand_ids('admin'))) then
      raise exception 'Only its author and admins can delete a note.' using errcode = '42501';
    end if;
  end if;
  return case when tg_op = 'UPDATE' then new else old end;
end
$$;
create trigger assert_author before update on public.notes for each row
  when ((new.kind, new.body, new.occurred_at, new.contact_id, new.company_id, new.deal_id)
    is distinct from (old.kind, old.body, old.occurred_at, old.contact_id, old.company_id, old.deal_id))
  execute function private.assert_author();
create trigger assert_author_of_gone before delete on public.notes for each row execute function private.assert_author();

-- A note that loses its last link is deleted, as it was before. Where the link went with the record that it named, it comes back with that.
create function private.delete_orphaned_note() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.notes n where n.brand_id = old.brand_id and n.id = old.id;
  -- In the trigger of a foreign key, else a person took the link away.
  if pg_trigger_depth() > 1 then
    update private.tombstones t set orphaned = true
    where t.brand_id = old.brand_id and t.table_name = 'notes' and t.row_id = old.id;
  end if;
  return null;
end
$$;
create trigger delete_orphaned before update of contact_id, company_id, deal_id on public.notes for each row
  when (num_nonnulls(new.contact_id, new.company_id, new.deal_id) = 0) execute function private.delete_orphaned_note();

call private.keep_in_sync('public.notes');

revoke all on public.notes from public, anon, authenticated;
grant select on public.notes to authenticated;
grant insert (id, brand_id, kind, body, author_id, occurred_at, contact_id, company_id, deal_id, pinned),
  update (kind, body, occurred_at, contact_id, company_id, deal_id, pinned), delete on public.notes to authenticated;
grant select, insert, update, delete on public.notes to service_role;

alter table public.notes enable row level security;
create policy "members see the notes of their brands" on public.notes for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members add notes to their brands" on public.notes for insert to authenticated
  with check (brand_id = any (array(select private.my_brand_ids())));
create policy "members change the notes of their brands" on public.notes for update to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "members delete notes of their brands" on public.notes for delete to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every note" on public.notes to service_role using (true);

-- COUNTED

-- Devices keep all rows of a table by their number. They never keep all notes.
alter table private.synced_tables add column is_counted boolean not null default true;
update private.synced_tables set is_counted = false where name = 'notes';

-- How many rows a brand has in each of these tables.
create or replace function private.row_counts(p_brand_id uuid, p_tables text[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_table record;
  v_count bigint;
  v_counts text[] := '{}';
begin
  for v_table in
    select s.name, s.brand_column from private.synced_tables s
    where s.is_counted and (p_tables is null or s.name = any (p_tables)) order by s.position
  loop
    if private.kept_columns(v_table.name) is null then
      execute format('select count(*) from public.%I where %I = $1', v_table.name, v_table.brand_column)
      into v_count using p_brand_id;
    else
      select coalesce(sum(k.count), 0) into v_count from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = v_table.name;
    end if;
    v_counts := v_counts || (to_json(v_table.name) || ':' || v_count);
  end loop;
  return '{' || array_to_string(v_counts, ',') || '}';
end
$$;

-- RESTORED

-- Inserts a deleted row again, with its links in both directions. False where its key or e-mail is taken, or where it has no place any more.
create function private.restore_row(p_tombstone private.tombstones) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_columns text;
  v_count integer;
begin
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into v_columns
  from pg_attribute a
  where a.attrelid = format('public.%I', p_tombstone.table_name)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
  perform set_config('private.restoring', 'on', true);
  execute format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)', p_tombstone.table_name, v_columns)
  using private.without_lost_links(p_tombstone);
  get diagnostics v_count = row_count;
  perform set_config('private.restoring', '', true);
  if v_count > 0 then
    perform private.restore_links(p_tombstone);
  end if;
  return v_count > 0;
exception when unique_violation then
  -- The setting was rolled back too.
  return false;
end
$$;

-- Restores deleted records of one table: the row with its id and its links in both directions, where the other row still exists
-- and has got no other link meanwhile. The row keeps its maker. Answers the ids that were restored. An id that was never
-- deleted, was deleted more than 30 days ago, or whose e-mail is taken, is left out. Stages are restored by admins.
create or replace function public.restore_records(p_brand_id uuid, p_table text, p_ids uuid[]) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_tombstone private.tombstones;
  v_restored jsonb := '[]';
begin
  perform private.assert_member(p_brand_id);
  if p_table not in (select s.name from private.synced_tables s where s.key_column = 'id' and s.name <> 'brands') then
    raise exception 'Records of % cannot be restored.', p_table using errcode = '22023';
  end if;
  if p_table = 'deal_stages' then
    perform private.assert_role(p_brand_id, 'admin');
  end if;
  if cardinality(p_ids) > 1000 then
    raise exception 'At most 1000 records can be restored at once.' using errcode = '22023';
  end if;
  for v_tombstone in
    select * from private.tombstones t
    where t.brand_id = p_brand_id and t.table_name = p_table and t.row_id = any (p_ids) and t.row_data is not null
    order by t.row_id for update
  loop
    if private.restore_row(v_tombstone) then
      v_restored := v_restored || to_jsonb(v_tombstone.row_id);
    end if;
  end loop;
  return v_restored;
end
$$;

-- Rows that had a link to the restored row get it back, unless they link to another row now, or linked to one that was deleted later and can
-- still come back: their last link wins. A row that is deleted itself gets the link in its tombstone, and comes back where it was deleted
-- for want of links.
create or replace function private.restore_links(p_tombstone private.tombstones) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_link record;
  v_orphan private.tombstones;
begin
  if p_tombstone.links is null or p_tombstone.links = '[]' then
    return;
  end if;
  for v_link in
    select l.link ->> 'table' as child, l.link ->> 'column' as child_column, array_agg((l.link ->> 'id')::uuid) as ids
    from (
      select jsonb_array_elements(p_tombstone.links) as link
      except
      select jsonb_array_elements(t.links) from private.tombstones t
      where t.brand_id = p_tombstone.brand_id and t.table_name = p_tombstone.table_name and t.rev > p_tombstone.rev and t.links <> '[]'
    ) l
    group by 1, 2
  loop
    execute format('update public.%1$I set %2$I = $1 where brand_id = $2 and id = any ($3) and %2$I is null', v_link.child, v_link.child_column)
    using p_tombstone.row_id, p_tombstone.brand_id, v_link.ids;
    update private.tombstones t
    set row_data = t.row_data || jsonb_build_object(v_link.child_column, p_tombstone.row_id)
    where t.brand_id = p_tombstone.brand_id and t.table_name = v_link.child and t.row_id = any (v_link.ids)
      and t.row_data ->> v_link.child_column is null and t.row_data is not null;
    for v_orphan in
      select * from private.tombstones t
      where t.brand_id = p_tombstone.brand_id and t.table_name = v_link.child and t.row_id = any (v_link.ids)
        and t.orphaned and t.row_data is not null
      order by t.row_id for update
    loop
      perform private.restore_row(v_orphan);
    end loop;
  end loop;
end
$$;

revoke execute on all routines in schema private from public;
