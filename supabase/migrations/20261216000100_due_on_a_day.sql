-- A task that is due on a day without a time is due on that day for everybody, whatever their time zone.

-- The day that a due moment stands for; null where it is a moment with its time. The last millisecond of a minute stands for a day: it
-- is the end of the day in the zone of who set it, from 10 hours behind UTC to 13 ahead, and all these moments lie on that day where
-- the clock is 10 hours behind. src/web/lib/due-day.ts is the same.
create function private.due_day(p_due_at timestamptz) returns date
language sql immutable set search_path = ''
as $$
  select case when extract(second from p_due_at at time zone 'UTC') >= 59.999 then (p_due_at at time zone 'UTC' - interval '10 hours')::date end
$$;

-- A condition's value as SQL of that type: a text, number, boolean; {"now": seconds}, a moment relative to now; or, for `due_at` of
-- tasks, {"now": seconds, "day": date} or {"at": moment, "day": date}: what is due on a day lies before it if that day is before `day`.
create or replace function private.query_value(p_value jsonb, p_type text) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_moment text;
begin
  if jsonb_typeof(p_value) = 'object' then
    v_moment := case
      when jsonb_typeof(p_value -> 'now') = 'number' then format('(now() + %L::interval)', (p_value ->> 'now') || ' seconds')
      when p_value ? 'day' and jsonb_typeof(p_value -> 'at') = 'string' then format('%L::timestamptz', p_value ->> 'at')
    end;
    if v_moment is not null and p_value ? 'day' then
      if p_type <> 'timestamp with time zone' then
        raise exception 'A value of p_queries with a "day" is for due_at of tasks.' using errcode = '22023';
      end if;
      return format(
        'case when private.due_day(r.due_at) is null then %s when private.due_day(r.due_at) < %L::date then ''infinity'' else ''-infinity'' end',
        v_moment, p_value ->> 'day');
    elsif v_moment is not null then
      return v_moment;
    end if;
  end if;
  if jsonb_typeof(p_value) in ('object', 'array') then
    raise exception 'A value of p_queries is a text, a number, true, false, null or {"now": seconds}.' using errcode = '22023';
  end if;
  return format('%L::%s', p_value #>> '{}', p_type);
end
$$;

revoke execute on function private.due_day(timestamptz) from public;
