-- A deal that comes into a stage while the kind of this stage changes is closed or open as its stage is. Before, each of the two transactions read
-- what the other had not committed yet: the deal had no closing day in a won or lost stage, or had one in an open stage.

-- A deal is closed from the moment it enters a stage that is won or lost, or from the day that a person says. `stage_since` says when it
-- came into its stage.
create or replace function private.tidy_deal() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_kind text;
begin
  new.name := private.required_name(new.name);
  new.lost_reason := private.trimmed(new.lost_reason);
  if tg_op = 'INSERT' or new.stage_id is distinct from old.stage_id then
    -- The lock is the one that the foreign key takes at the end of the statement. Here it makes this statement wait for a transaction that
    -- changes the kind (wait_for_deals), and read the new kind.
    select s.kind into v_kind from public.deal_stages s where s.brand_id = new.brand_id and s.id = new.stage_id for key share;
    -- In an open stage, only apply_stage_kind has set a day, for a kind that the stage has not got: the deal leaves the stage as an open one.
    if tg_op = 'UPDATE' and old.closed_at is not null and new.closed_at is not distinct from old.closed_at and exists (
      select from public.deal_stages s where s.brand_id = old.brand_id and s.id = old.stage_id and s.kind = 'open'
    ) then
      new.closed_at := null;
    end if;
    new.closed_at := case when v_kind in ('won', 'lost') then coalesce(new.closed_at, now()) end;
  elsif new.closed_at is distinct from old.closed_at then
    -- No lock: close_deals_of_stage writes this deal, too, and so waits for this transaction. A lock would be a deadlock with it.
    select s.kind into v_kind from public.deal_stages s where s.brand_id = new.brand_id and s.id = new.stage_id;
    -- The kind that the stage is about to get (apply_stage_kind).
    v_kind := coalesce(nullif(current_setting('private.next_kind', true), ''), v_kind);
    new.closed_at := case when v_kind in ('won', 'lost') then coalesce(new.closed_at, now()) end;
  end if;
  if tg_op = 'INSERT' then
    -- A row that was deleted before the column existed has none.
    new.stage_since := coalesce(new.stage_since, now());
  elsif new.stage_id is distinct from old.stage_id then
    new.stage_since := now();
  end if;
  return new;
end
$$;

-- Before the kind of a stage changes: waits for the transactions that bring deals into the stage, and makes later ones wait for this transaction.
-- So close_deals_of_stage finds the deals of the earlier ones, and the later ones read the new kind. A transaction that changes a deal of the stage and
-- then brings another one into it can deadlock with this one.
create function private.wait_for_deals() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.deal_stages s where s.brand_id = new.brand_id and s.id = new.id for update;
  return new;
end
$$;
-- Its name sorts after tidy, which gives a stage without a kind the kind of its name.
create trigger wait_for_deals before update of kind on public.deal_stages
  for each row when (old.kind <> new.kind) execute function private.wait_for_deals();

-- The deals that were written in such a moment.
update public.deals d set closed_at = case when s.kind <> 'open' then coalesce(d.closed_at, d.stage_since) end
from public.deal_stages s
where s.brand_id = d.brand_id and s.id = d.stage_id and (d.closed_at is null) = (s.kind <> 'open');

revoke execute on all functions in schema private from public;
