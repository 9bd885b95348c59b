-- A note that a person deleted is restored only by somebody who may undo that: the person who deleted it, its author, admins and owners. Before, every
-- member could restore it, in the author's name, by restore_records.

-- Its name comes before `tidy`, which marks a note without links as one that returns with its record.
create function private.assert_may_restore_note() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_caller uuid := private.caller_id();
begin
  -- An orphaned note was deleted with its record, and comes back with it.
  if new.author_id is distinct from v_caller and not private.is_service()
    and new.brand_id <> all (array(select private.my_brand_ids('admin')))
    and exists (
      select from private.tombstones t
      where t.brand_id = new.brand_id and t.table_name = 'notes' and t.row_id = new.id
        and not t.orphaned and t.deleted_by is distinct from v_caller
    )
  then
    raise exception 'Only its author and admins can restore a note.' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger assert_may_restore before insert on public.notes for each row
  when (current_setting('private.restoring', true) = 'on') execute function private.assert_may_restore_note();

revoke execute on function private.assert_may_restore_note() from public;
