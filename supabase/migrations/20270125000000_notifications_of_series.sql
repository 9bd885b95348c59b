-- Completing a task of a series notifies nobody of the next task, and reopening it takes the notifications of the next task back. Before, the assignee
-- of the series got 'assigned you' at each completion by a colleague, and after 'Undo' this notification led to a deleted task.

-- The id of the task before this one in a series: the inverse of private.next_task_id.
create function private.former_task_id(p_id uuid) returns uuid
language sql immutable set search_path = ''
as $$
  select (left(p_id::text, 24) || lpad(to_hex(
    (('x' || right(p_id::text, 12))::bit(48)::bigint - x'9e3779b97f4b'::bigint) & x'ffffffffffff'::bigint), 12, '0'))::uuid
$$;

-- A new task has an assignee: notifies this person, as private.tell_assignee does. Does not notify the person if the task continues a series that is
-- theirs already: its former task has the same assignee, and this transaction has completed it. A restored task notifies nobody.
create function private.notify_first_assignee() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(current_setting('private.restoring', true), '') = '' and not exists (
    select from public.tasks t
    where t.brand_id = new.brand_id and t.id = private.former_task_id(new.id) and t.assignee_id = new.assignee_id
      and t.repeats is not null and t.status = 'done' and t.updated_at = now())
  then
    perform private.notify(new.brand_id, new.assignee_id, 'assigned', 'tasks', new.id, new.title);
  end if;
  return null;
end
$$;
drop trigger tell_first_assignee on public.tasks;
create trigger notify_first_assignee after insert on public.tasks for each row
  when (new.assignee_id is distinct from new.created_by and new.assignee_id is not null) execute function private.notify_first_assignee();

-- A task of a series is open again: deletes the unread notifications of the next task, if this transaction has deleted that task (continue_series).
-- A reminder may have come since the completion. If a colleague has deleted or changed the next task, its notifications stay.
create function private.take_back_notifications() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_next private.tombstones;
  v_ids uuid[];
begin
  select * into v_next from private.tombstones t
  where t.brand_id = new.brand_id and t.table_name = 'tasks' and t.row_id = private.next_task_id(new.id) and t.deleted_at = now();
  if not found then
    return null;
  end if;
  -- Read, then deleted: a live event of a deleted notification names no person, so the open devices of the person would not get it.
  with taken as (
    update public.notifications n set read_at = now()
    where n.brand_id = new.brand_id and n.record_table = 'tasks' and n.record_id = v_next.row_id and n.read_at is null and not n.is_many
      and n.user_id in ((v_next.row_data ->> 'assignee_id')::uuid, (v_next.row_data ->> 'created_by')::uuid)
    returning n.id
  )
  select array_agg(t.id) into v_ids from taken t;
  delete from public.notifications n where n.brand_id = new.brand_id and n.id = any (v_ids);
  return null;
end
$$;
-- Its name sorts after continue_series, which deletes the next task.
create trigger take_back_notifications after update of status on public.tasks for each row
  when (new.status = 'open' and old.status <> 'open' and new.repeats is not null) execute function private.take_back_notifications();

revoke execute on all functions in schema private from public;
