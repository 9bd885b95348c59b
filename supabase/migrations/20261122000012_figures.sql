-- Counts and totals of a brand, and the first cards of its board. Each answer is one snapshot (the functions are stable).
-- Amounts are totalled by currency. Every list has an order: without one, the plan would show how much other brands have.

-- The board for a device that does not have all deals yet: count and total of every stage, its first cards, and the contacts
-- and companies of those cards. A brand with very many stages gets fewer cards of each. p_owner_id: one owner's deals.
create function public.board(p_brand_id uuid, p_cards integer default 20, p_owner_id uuid default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_stages bigint;
  v_board json;
begin
  perform private.assert_member(p_brand_id);
  select count(*) into v_stages from public.deal_stages s where s.brand_id = p_brand_id;
  v_board := private.board_page(p_brand_id, least(coalesce(p_cards, 20), 1 + 5000 / greatest(v_stages, 1))::integer, p_owner_id);
  perform private.assert_answer_size(pg_column_size(v_board));
  return v_board;
end
$$;

create function private.board_page(p_brand_id uuid, p_cards integer default 20, p_owner_id uuid default null) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  return (
    with cards as materialized (
      select d.* from public.deal_stages s
      cross join lateral (
        select * from public.deals d
        where d.brand_id = s.brand_id and d.stage_id = s.id and (p_owner_id is null or d.owner_id = p_owner_id)
        order by d.created_at desc, d.id
        limit least(greatest(coalesce(p_cards, 20), 0), 200)
      ) d
      where s.brand_id = p_brand_id
    )
    select json_build_object(
      'totals', coalesce((
        select json_agg(t order by t.stage_id, t.currency) from (
          select d.stage_id, d.amount_currency as currency, count(*) as count, sum(d.amount) as amount
          from public.deals d where d.brand_id = p_brand_id and (p_owner_id is null or d.owner_id = p_owner_id)
          group by d.stage_id, d.amount_currency
        ) t
      ), '[]'),
      'stages', coalesce((
        select json_agg(s order by s.position, s.id) from public.deal_stages s where s.brand_id = p_brand_id
      ), '[]'),
      'deals', coalesce((select json_agg(c order by c.created_at desc, c.id) from cards c), '[]'),
      'contacts', private.contacts_json(p_brand_id, array(select distinct c.contact_id from cards c where c.contact_id is not null order by 1)),
      'companies', private.companies_json(p_brand_id, array(select distinct c.company_id from cards c where c.company_id is not null order by 1))
    )
  );
end
$$;

-- The overview. Active deals and the pipeline are deals whose stage is neither won nor lost. 'This week' is the last 7 days,
-- 'due this week' the next 7. Months and days are those of the time zone; an unknown one counts as UTC.
create function public.dashboard(p_brand_id uuid, p_time_zone text default 'UTC') returns json
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
      select d.amount_currency as currency, count(*) as n, sum(d.amount) as amount,
        count(*) filter (where d.expected_close_date >= v_month and d.expected_close_date < v_month + interval '1 month') as closing
      from public.deals d
      join public.deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
      where d.brand_id = p_brand_id and s.kind = 'open'
      group by d.amount_currency
    ),
    open_tasks as materialized (
      select count(*) as n,
        count(*) filter (where t.due_at < now()) as overdue,
        count(*) filter (where t.due_at between now() and v_in_a_week) as this_week,
        count(*) filter (where t.due_at >= now() and t.due_at < v_tomorrow) as today
      from public.tasks t where t.brand_id = p_brand_id and t.status = 'open'
    )
    select json_build_object(
      'active_deals', (select coalesce(sum(a.n), 0)::bigint from active a),
      'close_this_month', (select coalesce(sum(a.closing), 0)::bigint from active a),
      'pipeline', coalesce((
        select json_agg(json_build_object('currency', a.currency, 'amount', a.amount) order by a.currency <> 'GBP', a.currency)
        from active a
      ), '[]'),
      'contacts', (select count(*) from public.contacts c where c.brand_id = p_brand_id),
      'contacts_this_week', (select count(*) from public.contacts c where c.brand_id = p_brand_id and c.created_at > v_a_week_ago),
      'companies', (select count(*) from public.companies c where c.brand_id = p_brand_id),
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

revoke execute on all functions in schema private from public;
revoke execute on function public.board(uuid, integer, uuid), public.dashboard(uuid, text) from public, anon, authenticated;
grant execute on function public.board(uuid, integer, uuid), public.dashboard(uuid, text) to authenticated, service_role;
