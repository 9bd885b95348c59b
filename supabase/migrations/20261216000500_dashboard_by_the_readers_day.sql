-- The figures of the overview count what is due on a day by the reader's day, as read_queries does.

create or replace function public.dashboard(p_brand_id uuid, p_time_zone text default 'UTC') returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_zone text := coalesce(p_time_zone, 'UTC');
  v_today timestamp;
  v_month date;
  v_tomorrow timestamptz;
  v_in_a_week timestamptz := now() + interval '168 hours';
  v_a_week_ago timestamptz := now() - interval '168 hours';
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
  return (
    with active as materialized (
      select k.currency, sum(k.count) as n, sum(k.amount) as amount
      from private.kept_figures k
      join public.deal_stages s on s.brand_id = k.brand_id and s.id = k.stage_id
      where k.brand_id = p_brand_id and k.table_name = 'deals' and s.kind = 'open'
      group by k.currency having sum(k.count) <> 0
    ),
    open_tasks as materialized (
      select count(*) as n,
        count(*) filter (where m.due < now()) as overdue,
        count(*) filter (where m.due between now() and v_in_a_week) as this_week,
        count(*) filter (where m.due >= now() and m.due < v_tomorrow) as today
      from public.tasks t
      -- What is due on a day is due until that day ends for the reader.
      cross join lateral (
        select coalesce(((private.due_day(t.due_at) + 1)::timestamp at time zone v_zone) - interval '1 ms', t.due_at) as due
      ) m
      where t.brand_id = p_brand_id and t.status = 'open'
    )
    select json_build_object(
      'active_deals', (select coalesce(sum(a.n), 0)::bigint from active a),
      'close_this_month', (
        select count(*) from public.deals d join public.deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
        where d.brand_id = p_brand_id and s.kind = 'open'
          and d.expected_close_date >= v_month and d.expected_close_date < (v_month + interval '1 month')::date
      ),
      'pipeline', coalesce((
        select json_agg(json_build_object('currency', a.currency, 'amount', a.amount) order by a.currency <> 'GBP', a.currency)
        from active a
      ), '[]'),
      'contacts', (select coalesce(sum(k.count), 0) from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = 'contacts'),
      'contacts_this_week', (select count(*) from public.contacts c where c.brand_id = p_brand_id and c.created_at > v_a_week_ago),
      'companies', (select coalesce(sum(k.count), 0) from private.kept_figures k where k.brand_id = p_brand_id and k.table_name = 'companies'),
      'companies_this_week', (select count(*) from public.companies c where c.brand_id = p_brand_id and c.created_at > v_a_week_ago),
      'open_tasks', t.n,
      'overdue', t.overdue,
      'due_this_week', t.this_week,
      'due_today', t.today
    )
    from open_tasks t
  );
end
$$;
