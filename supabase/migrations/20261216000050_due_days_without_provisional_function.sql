-- Drops the provisional function of 20261215000150_due_days_for_first_reminders.sql, because 20261216000100_due_on_a_day.sql creates it.
do $$
begin
  if obj_description(to_regprocedure('private.due_day(timestamp with time zone)'), 'pg_proc') = 'provisional' then
    drop function private.due_day(timestamptz);
  end if;
end
$$;
