-- 20261215000200_reminders.sql sets the reminders of the tasks that exist, by private.due_day, which only 20261216000100_due_on_a_day.sql
-- creates. Without this file, a database that has an open task with a later due date could not be updated. The function is the same as
-- there; its comment says that it is provisional. A database that has the function keeps it.
do $$
begin
  if to_regprocedure('private.due_day(timestamp with time zone)') is null then
    create function private.due_day(p_due_at timestamptz) returns date
    language sql immutable set search_path = ''
    as $function$
      select case when extract(second from p_due_at at time zone 'UTC') >= 59.999 then (p_due_at at time zone 'UTC' - interval '10 hours')::date end
    $function$;
    comment on function private.due_day(timestamptz) is 'provisional';
  end if;
end
$$;
