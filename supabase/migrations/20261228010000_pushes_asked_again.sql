-- A push is sent to whom it may still be sent. It may wait for hours, until quiet hours are over or a push service answers: meanwhile its person may
-- have been removed from the brand, the brand may demand a second factor, or somebody else may have signed in to the browser.

-- The next pushes that are due, at most p_limit, each given to one caller. Those that nobody is to get any more are deleted.
create or replace function private.take_pushes(p_limit integer)
returns table (id bigint, endpoint text, p256dh text, auth text, payload text)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return query
    with due as materialized (
      select w.id, w.endpoint, w.payload from private.push_outbox w where w.due_at <= now() and w.taken_at is null
      order by w.due_at limit p_limit for update skip locked
    ),
    wanted as materialized (
      select d.id, p.p256dh, p.auth
      from due d
      join private.push_subscriptions p on p.endpoint = d.endpoint
      -- A notification goes with its membership.
      join public.notifications n on n.id = (d.payload ->> 'tag')::uuid and n.user_id = p.user_id and n.read_at is null
      join public.memberships m on m.brand_id = n.brand_id and m.user_id = n.user_id and m.opened_at is not null
      join public.brands b on b.id = n.brand_id
      join auth.sessions s on s.id = p.session_id and (s.not_after is null or s.not_after > now())
      where s.aal::text in ('aal2', 'aal3') or not (b.requires_second_factor
        or exists (select from auth.mfa_factors f where f.user_id = n.user_id and f.status = 'verified'))
    ),
    unwanted as (
      delete from private.push_outbox o using due d where o.id = d.id and d.id not in (select w.id from wanted w)
    )
    update private.push_outbox o set taken_at = now(), attempts = o.attempts + 1
    from wanted w where o.id = w.id
    returning o.id, o.endpoint, w.p256dh, w.auth, o.payload::text;
end
$$;
