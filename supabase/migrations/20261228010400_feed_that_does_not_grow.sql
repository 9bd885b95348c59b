-- A calendar feed reads the first tasks of its person and what they name, and no longer all contacts, companies and deals of all brands.

-- The feed with this secret: { name, events }; null: there is none. The bundled server calls it, as the owner. Open tasks that are assigned
-- to its person, from 90 days ago on: the first 1,000 by their due date. A brand that demands a second factor is left out: an
-- address proves none; so is one that its person has not opened: strangers could write into their calendar.
create or replace function private.calendar_of(p_secret text) returns jsonb
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  v_user uuid;
begin
  select f.user_id into v_user
  from private.calendar_feeds f join auth.users u on u.id = f.user_id
  where f.secret_hash = sha256(convert_to(p_secret, 'UTF8')) and (u.banned_until is null or u.banned_until <= now())
    and f.ended_at is null and f.made_for = private.password_digest(f.user_id);
  if v_user is null then
    return null;
  end if;
  return jsonb_build_object('name', 'Tasks in Banyan CRM', 'events', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', t.brand_id || '.' || t.id,
      'path', '/crm/tasks/' || t.id,
      'summary', t.title,
      'description', concat_ws(E'\n', 'Contact: ' || coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), c.email, c.phone),
        'Deal: ' || d.name, 'Company: ' || o.name, initcap(nullif(t.priority, 'normal')) || ' priority', t.brand),
      'day', private.due_day(t.due_at),
      'at', t.due_at,
      'changed_at', t.updated_at,
      'version', t.version) order by t.due_at, t.id), '[]')
    from (
      select k.*, b.name as brand
      from public.memberships m
      join public.brands b on b.id = m.brand_id and not b.requires_second_factor
      cross join lateral (
        select * from public.tasks t
        where t.brand_id = m.brand_id and t.assignee_id = m.user_id and t.status = 'open' and t.due_at > now() - interval '90 days'
        order by t.due_at, t.id limit 1000
      ) k
      where m.user_id = v_user and m.opened_at is not null
      order by k.due_at, k.id limit 1000
    ) t
    left join public.contacts c on c.brand_id = t.brand_id and c.id = t.contact_id
    left join public.deals d on d.brand_id = t.brand_id and d.id = t.deal_id
    left join public.companies o on o.brand_id = t.brand_id and o.id = coalesce(d.company_id, c.company_id)));
end
$$;
