-- A stage that is set to open by mistake, and then to won or lost again within a day, gives its deals their closing days back. Before, each of its
-- deals was closed at the time of the second change.

-- The closing days that deals have lost because their stage became open (close_deals_of_stage, apply_stage_kind). Rows older than a day are of no
-- use, and go with the next change of a kind in the brand.
create table private.former_closing_days (
  brand_id uuid not null references public.brands on delete cascade,
  deal_id uuid not null,
  stage_since timestamptz not null,
  closed_at timestamptz not null,
  kept_at timestamptz not null default now(),
  primary key (brand_id, deal_id)
);
alter table private.former_closing_days enable row level security;
revoke all on private.former_closing_days from public, anon, authenticated, service_role;

-- A deal that stays in its stage loses its closing day only if the kind of the stage changes, because tidy_deal keeps it otherwise.
create function private.keep_closing_day() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.former_closing_days as f (brand_id, deal_id, stage_since, closed_at)
  values (old.brand_id, old.id, old.stage_since, old.closed_at)
  on conflict (brand_id, deal_id) do update set stage_since = excluded.stage_since, closed_at = excluded.closed_at, kept_at = excluded.kept_at;
  return null;
end
$$;
create trigger keep_closing_day after update of closed_at on public.deals
  for each row when (old.closed_at is not null and new.closed_at is null and old.stage_id = new.stage_id)
  execute function private.keep_closing_day();

-- Replaces the present time, which a change of the kind sets. A day that a person has chosen stays. A deal that has left the stage in between has
-- another `stage_since`, and its former day is not used.
create function private.take_former_closing_day() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_day timestamptz;
begin
  delete from private.former_closing_days f
  where f.brand_id = new.brand_id and f.deal_id = new.id and f.stage_since = new.stage_since and f.kept_at > now() - interval '1 day'
  returning f.closed_at into v_day;
  new.closed_at := coalesce(v_day, new.closed_at);
  return new;
end
$$;
-- Its name sorts after tidy, which corrects the day.
create trigger tidy_former_day before update of closed_at on public.deals
  for each row when (old.closed_at is null and new.closed_at = now() and old.stage_id = new.stage_id)
  execute function private.take_former_closing_day();

create function private.forget_closing_days() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.former_closing_days f where f.brand_id = new.brand_id and f.kept_at < now() - interval '1 day';
  return null;
end
$$;
create trigger forget_closing_days after update of kind on public.deal_stages
  for each row when (old.kind <> new.kind) execute function private.forget_closing_days();

revoke execute on function private.keep_closing_day(), private.take_former_closing_day(), private.forget_closing_days() from public;
