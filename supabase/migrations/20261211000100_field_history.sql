-- The history of the fields that matter, as deal_stage_changes and amount_changes have it for stages and amounts: written by trigger, never
-- changed, without foreign keys to records, so that it outlives them. No pull carries it; the timeline of a record shows it.

create table public.field_changes (
  brand_id uuid not null references public.brands on delete cascade,
  id bigint generated always as identity,
  table_name text not null,
  record_id uuid not null,
  column_name text not null,
  -- As text; of a link the id.
  from_value text,
  to_value text,
  changed_by uuid,
  changed_at timestamptz not null default now(),
  primary key (brand_id, id)
);
create index field_changes_of_record_idx on public.field_changes (brand_id, record_id, changed_at);

-- The columns are the arguments of the trigger. A link that goes with the record that it names, or comes back with it, is not noted: a delete
-- and its undo leave no trace. An owner who leaves is.
create function private.note_field_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_old jsonb := to_jsonb(old);
  v_new jsonb := to_jsonb(new);
  v_column text;
begin
  foreach v_column in array tg_argv loop
    continue when v_old -> v_column = v_new -> v_column;
    if v_column in ('contact_id', 'company_id') then
      continue when coalesce(current_setting('private.linking', true), '') <> '';
      continue when v_new ->> v_column is null and not exists (
        select from public.contacts c where c.brand_id = old.brand_id and c.id = (v_old ->> v_column)::uuid
        union all select from public.companies o where o.brand_id = old.brand_id and o.id = (v_old ->> v_column)::uuid
      );
    end if;
    insert into public.field_changes (brand_id, table_name, record_id, column_name, from_value, to_value, changed_by)
    values (new.brand_id, tg_table_name, new.id, v_column, v_old ->> v_column, v_new ->> v_column, auth.uid());
  end loop;
  return null;
end
$$;
create trigger note_field_changes after update of email, phone, company_id, owner_id on public.contacts for each row
  when ((old.email, old.phone, old.company_id, old.owner_id) is distinct from (new.email, new.phone, new.company_id, new.owner_id))
  execute function private.note_field_changes('email', 'phone', 'company_id', 'owner_id');
create trigger note_field_changes after update of name, owner_id on public.companies for each row
  when ((old.name, old.owner_id) is distinct from (new.name, new.owner_id))
  execute function private.note_field_changes('name', 'owner_id');
create trigger note_field_changes after update of name, expected_close_date, contact_id, company_id, owner_id on public.deals for each row
  when ((old.name, old.expected_close_date, old.contact_id, old.company_id, old.owner_id)
    is distinct from (new.name, new.expected_close_date, new.contact_id, new.company_id, new.owner_id))
  execute function private.note_field_changes('name', 'expected_close_date', 'contact_id', 'company_id', 'owner_id');
-- Who did a task: completed_at says when.
create trigger note_field_changes after update of status on public.tasks for each row
  when (old.status is distinct from new.status)
  execute function private.note_field_changes('status');

revoke all on public.field_changes from public, anon, authenticated;
-- Nobody writes but the trigger.
grant select on public.field_changes to authenticated, service_role;

alter table public.field_changes enable row level security;
create policy "members see what fields of their brands' records were" on public.field_changes for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids())));
create policy "the secret key sees every change of a field" on public.field_changes to service_role using (true);

-- As before, and says while it links again that it does.
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
    perform set_config('private.linking', 'on', true);
    execute format('update public.%1$I set %2$I = $1 where brand_id = $2 and id = any ($3) and %2$I is null', v_link.child, v_link.child_column)
    using p_tombstone.row_id, p_tombstone.brand_id, v_link.ids;
    perform set_config('private.linking', '', true);
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
