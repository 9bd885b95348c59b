-- The tags that a record got and lost stand in its history: of one change one line, with the ids of the tags that went in from_value, and of
-- those that came in to_value, separated by spaces.

-- Only tags that are there count: the ids of deleted ones go by themselves.
create function private.note_tag_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_gone text;
  v_come text;
begin
  select string_agg(t.id::text, ' ' order by t.id) filter (where t.id = any (old.tag_ids)),
    string_agg(t.id::text, ' ' order by t.id) filter (where t.id = any (new.tag_ids))
  into v_gone, v_come
  from public.tags t
  where t.brand_id = new.brand_id and (t.id = any (old.tag_ids)) <> (t.id = any (new.tag_ids)) and t.id = any (old.tag_ids || new.tag_ids);
  if coalesce(v_gone, v_come) is not null then
    insert into public.field_changes (brand_id, table_name, record_id, column_name, from_value, to_value, changed_by)
    values (new.brand_id, tg_table_name, new.id, 'tag_ids', v_gone, v_come, auth.uid());
  end if;
  return null;
end
$$;
create trigger note_tag_change after update of tag_ids on public.contacts for each row
  when (old.tag_ids <> new.tag_ids) execute function private.note_tag_change();
create trigger note_tag_change after update of tag_ids on public.companies for each row
  when (old.tag_ids <> new.tag_ids) execute function private.note_tag_change();
create trigger note_tag_change after update of tag_ids on public.deals for each row
  when (old.tag_ids <> new.tag_ids) execute function private.note_tag_change();

revoke execute on all routines in schema private from public;
