-- An id that was a brand once is nobody's to take again. Clients choose the ids, and every former member knows theirs: a brand
-- founded anew under an old id would inherit whatever still carries it (the log of who did what; a topic; an old device).

-- One row for each brand that ever was, for ever. It has no foreign key: it outlives the brand, in backups too.
create table private.brand_lives (
  id uuid primary key,
  founded_at timestamptz not null default now(),
  ended_at timestamptz
);

-- Those of today, and those that have left a trace. What the log tells of an id from before the living brand's time stays
-- with the dead one.
insert into private.brand_lives (id, founded_at) select b.id, b.created_at from public.brands b;
insert into private.brand_lives (id, founded_at, ended_at)
select g.id, min(g.at), now() from (
  select e.brand_id, e.at from private.brand_events e
  union all select t.brand_id, t.deleted_at from private.tombstones t
  union all select k.row_id, k.applied_at from private.applied_keys k where k.table_name = 'brands'
) g (id, at)
where not exists (select from public.brands b where b.id = g.id)
group by g.id;

-- After a brand came, or got another id: the id must be new to this installation, whoever asks. The refusal is the one of an
-- id that is in use, to the letter: a stranger learns no more by it.
create function private.begin_brand_life() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.brand_lives (id) values (new.id) on conflict do nothing;
  if not found then
    raise exception 'duplicate key value violates unique constraint "brands_pkey"' using
      errcode = '23505', schema = 'public', table = 'brands', constraint = 'brands_pkey';
  end if;
  return null;
end
$$;
-- Named to be the first of them: nothing else is done for an id that is taken.
create trigger a_life_begins after insert on public.brands for each row execute function private.begin_brand_life();
create trigger a_life_begins_anew after update of id on public.brands
  for each row when (new.id <> old.id) execute function private.begin_brand_life();

create function private.end_brand_life() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.brand_lives l set ended_at = now() where l.id = old.id;
  return null;
end
$$;
create trigger life_ends after delete on public.brands for each row execute function private.end_brand_life();
create trigger life_ends_elsewhere after update of id on public.brands
  for each row when (new.id <> old.id) execute function private.end_brand_life();

-- A life is written down once: nobody opens an id again by taking its line away.
create function private.keep_brand_lives() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'The list of brands that ever were is only ever added to.' using errcode = '42501';
end
$$;
create trigger keep before delete on private.brand_lives for each row execute function private.keep_brand_lives();
create trigger keep_all before truncate on private.brand_lives for each statement execute function private.keep_brand_lives();

-- Mail that waits for an invitation goes with it: a brand that is gone, or an invitation that was taken back, asks nobody to
-- come. What the mailer holds in this moment is on its way; its link opens nothing.
create function private.unsend_invitation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.mail_outbox o where o.id in (
    select w.id from private.mail_outbox w
    where w.template = 'message' and w.data #>> '{link,type}' = 'invite' and w.data #>> '{link,id}' = old.id::text
    for update skip locked
  );
  return null;
end
$$;
create trigger unsend after delete on public.invitations for each row execute function private.unsend_invitation();
-- A brand takes up to 200 invitations along, and a mail server that is away leaves thousands of mails waiting.
create index mail_outbox_by_invitation_idx on private.mail_outbox ((data #>> '{link,id}')) where template = 'message';

revoke all on private.brand_lives from public, anon, authenticated;
revoke execute on all functions in schema private from public;
