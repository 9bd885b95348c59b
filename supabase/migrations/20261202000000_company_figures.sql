-- Cards of companies say how many contacts and deals a company has, and what is open. All cards in sight are answered at once.

-- Of companies of the brand [{ id, contacts, deals, open: [{ currency, amount }] }]: `open` sums up the deals of open stages by currency.
create function public.company_figures(p_brand_id uuid, p_company_ids uuid[]) returns json
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  if cardinality(p_company_ids) > 100 then
    raise exception 'At most 100 companies are answered at a time.' using errcode = '22023';
  end if;
  return (
    select coalesce(json_agg(json_build_object('id', c.id, 'contacts', t.count, 'deals', d.count, 'open', d.open) order by c.id), '[]')
    from public.companies c
    cross join lateral (
      select count(*) as count from public.contacts t where t.brand_id = c.brand_id and t.company_id = c.id
    ) t
    cross join lateral (
      select coalesce(sum(g.count), 0) as count,
        coalesce(json_agg(json_build_object('currency', g.currency, 'amount', g.amount) order by g.currency) filter (where g.amount is not null), '[]') as open
      from (
        select d.amount_currency as currency, count(*) as count, sum(d.amount) filter (where s.kind = 'open') as amount
        from public.deals d join public.deal_stages s on s.brand_id = d.brand_id and s.id = d.stage_id
        where d.brand_id = c.brand_id and d.company_id = c.id
        group by d.amount_currency
      ) g
    ) d
    where c.brand_id = p_brand_id and c.id = any (p_company_ids)
  );
end
$$;

revoke execute on function public.company_figures(uuid, uuid[]) from public, anon, authenticated;
grant execute on function public.company_figures(uuid, uuid[]) to authenticated, service_role;
