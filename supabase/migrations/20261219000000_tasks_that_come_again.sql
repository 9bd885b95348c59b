-- Tasks that come again: when one is done, the next one of its series is made.

-- How a task comes again and by whose clock, as one value: 'daily', 'workdays', 'weekly 1' (Monday) to 'weekly 7', 'monthly 1' to
-- 'monthly 31', and an IANA time zone: 'monthly 31 Europe/London'. The day is that of the series: a task that is put off keeps it.
alter table public.tasks add column repeats text check (
  length(repeats) <= 80
  and repeats ~ '^(daily|workdays|weekly [1-7]|monthly ([1-9]|[12][0-9]|3[01])) (UTC|[A-Za-z_]+/[A-Za-z0-9_+/-]+)$');
grant insert (repeats), update (repeats) on public.tasks to authenticated;

-- Says what a value has to be. The time zone is one that the database knows.
create function private.check_repeats() returns trigger
language plpgsql set search_path = ''
as $$
begin
  begin
    if new.repeats ~ '^(daily|workdays|weekly [1-7]|monthly ([1-9]|[12][0-9]|3[01])) [^ ]+$' and length(new.repeats) <= 80 then
      perform now() at time zone substring(new.repeats from '[^ ]+$');
      return new;
    end if;
  exception when invalid_parameter_value then
    null; -- No such time zone.
  end;
  raise exception 'A task repeats "daily", "workdays", "weekly 1" to "weekly 7" or "monthly 1" to "monthly 31", with a time zone: "weekly 1 Europe/London".'
    using errcode = '22023';
end
$$;
create trigger check_repeats before insert or update of repeats on public.tasks
  for each row when (new.repeats is not null) execute function private.check_repeats();

-- The id of the next task of a series, made from that of the one before: it is made once, also where two people complete it, each on a device. The
-- step is odd and near the golden section of 2^48, so that ids that follow each other do not meet. src/web/lib/series.ts is the same.
create function private.next_task_id(p_id uuid) returns uuid
language sql immutable set search_path = ''
as $$
  select (left(p_id::text, 24) || lpad(to_hex(
    (('x' || right(p_id::text, 12))::bit(48)::bigint + x'9e3779b97f4b'::bigint) & x'ffffffffffff'::bigint), 12, '0'))::uuid
$$;

-- When the next task of a series is due, if this one is done at p_now: on the first day of the series that comes after it and after
-- today, at the same time by the clock of the series. A month that is too short gives its last day. What is due on a day stays so, and
-- what has no date becomes it. Null: beyond what a date can be. src/web/lib/series.ts is the same.
create function private.next_due(p_due_at timestamptz, p_repeats text, p_now timestamptz) returns timestamptz
language plpgsql stable set search_path = ''
as $$
declare
  v_words text[] := string_to_array(p_repeats, ' ');
  v_zone text := v_words[cardinality(v_words)];
  v_after date := greatest(
    coalesce(private.due_day(p_due_at), (p_due_at at time zone v_zone)::date), (p_now at time zone v_zone)::date);
  v_weekday integer := extract(isodow from v_after);
  v_month date := date_trunc('month', v_after::timestamp)::date;
  v_next date;
begin
  case v_words[1]
    when 'daily' then
      v_next := v_after + 1;
    when 'workdays' then
      v_next := v_after + case v_weekday when 5 then 3 when 6 then 2 else 1 end;
    when 'weekly' then
      v_next := v_after + 1 + (v_words[2]::integer - v_weekday + 6) % 7;
    else
      v_next := least(v_month + v_words[2]::integer - 1, (v_month + interval '1 month')::date - 1);
      if v_next <= v_after then
        v_month := (v_month + interval '1 month')::date;
        v_next := least(v_month + v_words[2]::integer - 1, (v_month + interval '1 month')::date - 1);
      end if;
  end case;
  if v_next > '9999-12-28' then
    return null;
  end if;
  if p_due_at is null or private.due_day(p_due_at) is not null then
    return (v_next + time '23:59:59.999') at time zone 'UTC';
  end if;
  return (v_next + (p_due_at at time zone v_zone)::time) at time zone v_zone;
end
$$;

-- A task of a series is done: makes the next one, unless it is there. It is open again: takes the next one away, unless somebody has
-- changed it. The caller may write the task, so what follows from it is written with it. (Its name comes before `record_key`: a repeated
-- request is answered with the task that it named.)
create function private.continue_series() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_due_at timestamptz;
begin
  if new.status = 'done' then
    v_due_at := private.next_due(new.due_at, new.repeats, now());
    if v_due_at is not null then
      insert into public.tasks (brand_id, id, title, due_at, priority, contact_id, deal_id, assignee_id, repeats, created_by)
      values (new.brand_id, private.next_task_id(new.id), new.title, v_due_at, new.priority, new.contact_id, new.deal_id,
        new.assignee_id, new.repeats, new.created_by)
      on conflict (brand_id, id) do nothing;
    end if;
  else
    delete from public.tasks t
    where t.brand_id = new.brand_id and t.id = private.next_task_id(new.id) and t.status = 'open' and t.updated_at = t.created_at;
  end if;
  return null;
end
$$;
create trigger continue_series after update of status on public.tasks
  for each row when (new.status <> old.status and new.repeats is not null) execute function private.continue_series();

revoke execute on all functions in schema private from public;
