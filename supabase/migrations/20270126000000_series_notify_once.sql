-- Completing a task of a series no longer sends its assignee 'assigned you' for the next task. The series is theirs already, and after 'Undo' the
-- notification led to a deleted task.

-- Writes the id of the next task into the setting private.next_task, for this transaction. The trigger after this one, continue_series, inserts that
-- task. Not called if the same update gives the task to another person: that person is notified.
create function private.name_next_task() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform set_config('private.next_task', private.next_task_id(new.id)::text, true);
  return null;
end
$$;
-- PostgreSQL runs the triggers of a row in the order of their names, so this one runs before continue_series.
create trigger before_continue_series after update of status on public.tasks
  for each row when (new.status = 'done' and old.status <> 'done' and new.repeats is not null
    and new.assignee_id is not distinct from old.assignee_id)
  execute function private.name_next_task();

drop trigger tell_first_assignee on public.tasks;
create trigger tell_first_assignee after insert on public.tasks for each row
  when (new.assignee_id is distinct from new.created_by and new.assignee_id is not null
    and current_setting('private.next_task', true) is distinct from new.id::text)
  execute function private.tell_assignee('assignee_id');

revoke execute on all functions in schema private from public;
