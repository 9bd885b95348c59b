-- What is due on a day was recognised by a function for every task: with 33,000 open tasks the figures of the overview took 0.3 s. Only
-- moments between that of the bound and that which stands for its day have to be looked at; all others lie on the same side of both.

-- The moment before which a day that a moment stands for (private.due_day) is an earlier day than this one.
create function private.day_bound(p_day date) returns timestamptz
language sql immutable
as $$
  select (p_day + interval '10 hours') at time zone 'UTC'
$$;

-- The moment of a bound in p_queries, as SQL: a text, or null where it is no moment relative to now and none with a day.
create function private.bound_moment(p_value jsonb) returns timestamptz
language plpgsql stable set search_path = ''
as $$
begin
  if jsonb_typeof(p_value) <> 'object' then
    return null;
  elsif jsonb_typeof(p_value -> 'now') = 'number' then
    return now() + ((p_value ->> 'now') || ' seconds')::interval;
  elsif p_value ? 'day' and jsonb_typeof(p_value -> 'at') = 'string' then
    return (p_value ->> 'at')::timestamptz;
  end if;
  return null;
end
$$;

-- `column operator bound`, for a bound with a day: what is due on a day lies before it if that day is before the day of the bound.
create function private.due_condition(p_column text, p_operator text, p_moment timestamptz, p_day date) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- 1: the column, 2: the earlier of the two moments, 3: the later one, 4: that of the day, 5: that of the bound, 6: the operator.
  return format(
    case when p_operator like '<%'
      then '(r.%1$I < %2$L or (r.%1$I <= %3$L and case when extract(second from r.%1$I at time zone ''UTC'') >= 59.999 then r.%1$I < %4$L else r.%1$I %6$s %5$L end))'
      else '(r.%1$I > %3$L or (r.%1$I >= %2$L and case when extract(second from r.%1$I at time zone ''UTC'') >= 59.999 then r.%1$I >= %4$L else r.%1$I %6$s %5$L end))'
    end,
    p_column, least(p_moment, private.day_bound(p_day)), greatest(p_moment, private.day_bound(p_day)), private.day_bound(p_day), p_moment, p_operator);
end
$$;

create or replace function private.query_value(p_value jsonb, p_type text) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_moment constant timestamptz := private.bound_moment(p_value);
begin
  if v_moment is not null then
    return format('%L::timestamptz', v_moment);
  end if;
  if jsonb_typeof(p_value) in ('object', 'array') then
    raise exception 'A value of p_queries is a text, a number, true, false, null or {"now": seconds}.' using errcode = '22023';
  end if;
  return format('%L::%s', p_value #>> '{}', p_type);
end
$$;

create or replace function private.query_condition(p_column text, p_type text, p_condition jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  v_operators constant jsonb := '{"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}';
  v_parts text[] := '{}';
  v_key text;
  v_value jsonb;
begin
  if p_type like '%[]' then
    v_value := p_condition -> 'has';
    if jsonb_typeof(p_condition) <> 'object' or jsonb_typeof(v_value) is distinct from 'array' or p_condition - 'has' <> '{}' then
      raise exception 'The condition of % in p_queries is { "has": a list of values }.', p_column using errcode = '22023';
    elsif jsonb_array_length(v_value) > 1000 then
      raise exception 'A list of values in p_queries holds at most 1000.' using errcode = '22023';
    end if;
    -- The second condition is that of the index.
    return format('(r.%1$I && %2$L::%3$s and r.%1$I <> ''{}'')', p_column, array(select jsonb_array_elements_text(v_value))::text, p_type);
  end if;
  case jsonb_typeof(p_condition)
    when 'null' then
      return format('r.%I is null', p_column);
    when 'array' then
      if jsonb_array_length(p_condition) > 1000 then
        raise exception 'A list of values in p_queries holds at most 1000.' using errcode = '22023';
      end if;
      return format('r.%I = any (%L::%s[])', p_column, array(select jsonb_array_elements_text(p_condition))::text, p_type);
    when 'object' then
      for v_key, v_value in select * from jsonb_each(p_condition) loop
        if v_key = 'not' and v_value = 'null' then
          v_parts := v_parts || format('r.%I is not null', p_column);
        elsif not v_operators ? v_key then
          raise exception 'A condition of p_queries knows gt, gte, lt, lte and "not": null.' using errcode = '22023';
        elsif jsonb_typeof(v_value) = 'object' and v_value ? 'day' and private.bound_moment(v_value) is not null then
          if p_type <> 'timestamp with time zone' then
            raise exception 'A value of p_queries with a "day" is for due_at of tasks.' using errcode = '22023';
          end if;
          v_parts := v_parts || private.due_condition(p_column, v_operators ->> v_key, private.bound_moment(v_value), (v_value ->> 'day')::date);
        else
          v_parts := v_parts || format('r.%I %s %s', p_column, v_operators ->> v_key, private.query_value(v_value, p_type));
        end if;
      end loop;
      return coalesce(array_to_string(v_parts, ' and '), 'true');
    else
      return format('r.%I = %s', p_column, private.query_value(p_condition, p_type));
  end case;
end
$$;

-- What closes in a period is counted and summed up by the index alone.
drop index public.deals_in_closing_order_idx;
create index deals_in_closing_order_idx on public.deals (brand_id, expected_close_date, name collate private.by_name, id)
  include (stage_id, owner_id, amount_currency, amount);

create or replace function public.dashboard(p_brand_id uuid, p_time_zone text default 'UTC') returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_zone text := coalesce(p_time_zone, 'UTC');
  v_today timestamp;
  v_month date;
  v_now timestamptz := now();
  v_in_a_week timestamptz := now() + interval '168 hours';
  v_a_week_ago timestamptz := now() - interval '168 hours';
  v_tomorrow timestamptz;
  -- Before these moments lie the days before today, before tomorrow, and before the day a week from now.
  v_day timestamptz;
  v_next_day timestamptz;
  v_week_day timestamptz;
begin
  perform private.assert_member(p_brand_id);
  begin
    v_today := date_trunc('day', now() at time zone v_zone);
  exception when invalid_parameter_value then
    v_zone := 'UTC';
    v_today := date_trunc('day', now() at time zone v_zone);
  end;
  v_month := date_trunc('month', v_today)::date;
  v_tomorrow := (v_today + interval '1 day') at time zone v_zone;
  v_day := private.day_bound(v_today::date);
  v_next_day := private.day_bound(v_today::date + 1);
  v_week_day := private.day_bound((v_in_a_week at time zone v_zone)::date);
  return (
    with active as materialized (
      select k.currency, sum(k.count) as n, sum(k.amount) as amount
      from private.kept_figures k
      join public.deal_stages s on s.brand_id = k.brand_id and s.id = k.stage_id
      where k.brand_id = p_brand_id and k.table_name = 'deals' and s.kind = 'open'
      group by k.currency having sum(k.count) <> 0
    ),
    -- What is due on a day is due until that day ends for the reader. Only overdue tasks and those of this week are read.
    due_tasks as materialized (
      select count(*) filter (where d.is_overdue) as overdue,
        count(*) filter (where not d.is_overdue and (
          t.due_at < least(v_week_day, v_in_a_week) or case when m.is_day then t.due_at < v_week_day else t.due_at <= v_in_a_week end
        )) as this_week,
        count(*) filter (where not d.is_overdue and t.due_at < greatest(v_next_day, v_tomorrow) and (
          t.due_at < least(v_next_day, v_tomorrow) or case when m.is_day then t.due_at < v_next_day else t.due_at < v_tomorrow end
        )) as today
      from public.tasks t
      cross join lateral (select extract(second from t.due_at at time zone 'UTC') >= 59.999 as is_day) m
      cross join lateral (
        select t.due_at < least(v_day, v_now)
          or (t.due_at < greatest(v_day, v_now) and case when m.is_day then t.due_at < v_day else t.due_at < v_now end) as is_overdue
      ) d
      where t.brand_id = p_brand_id and t.status = 'open' and t.due_at <= greatest(v_in_a_week, v_week_day)
    )
    select json_build_object(
      'active_deals', (select coalesce(sum(a.n), 0)::bigint from active a),
      'close_this_month', (
        select coalesce(sum(k.count), 0)::bigint from private.kept_figures k
        join public.deal_stages s on s.brand_id = k.brand_id and s.id = k.stage_id
        where k.brand_id = p_brand_id and k.table_name = 'deals_closing' and k.day = v_month and s.kind = 'open'
      ),
      'pipeline', coalesce((
        select json_agg(json_build_object('currency', a.currency, 'amount', a.amount) order by a.currency <> 'GBP', a.currency)
        from active a
      ), '[]'),
      'contacts', (select coalesce(sum(k.count), 0) from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = 'contacts'),
      'contacts_this_week', private.created_since('contacts', p_brand_id, v_a_week_ago),
      'companies', (select coalesce(sum(k.count), 0) from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = 'companies'),
      'companies_this_week', private.created_since('companies', p_brand_id, v_a_week_ago),
      'open_tasks', (
        select coalesce(sum(k.count), 0) from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = 'tasks' and k.status = 'open'
      ),
      'overdue', t.overdue,
      'due_this_week', t.this_week,
      'due_today', t.today
    )
    from due_tasks t
  );
end
$$;

revoke execute on all functions in schema private from public;
