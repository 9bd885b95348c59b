-- Invitation links: an invitation whose link its inviter hands over, for a server that sends no mail, or a mail that does not arrive.
-- The link belongs to an invitation of an address and role, works once and for seven days, and ends with the invitation.
-- The database holds a hash of its token. It proves no address: the person who opens it signs up or signs in with the invited one.

create table private.invitation_links (
  token_hash bytea primary key,
  brand_id uuid not null references public.brands on delete cascade,
  invitation_id uuid not null,
  made_by uuid,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  -- Why the link no longer works: the invitation was accepted, or withdrawn, or a newer link was made. Null: it works.
  ended_as text check (ended_as in ('used', 'revoked', 'replaced'))
);
create index invitation_links_by_invitation_idx on private.invitation_links (brand_id, invitation_id);
create index invitation_links_by_maker_idx on private.invitation_links (made_by, made_at);

revoke all on private.invitation_links from public, anon, authenticated;

-- Null: the invitation was not mailed, its link was handed over.
alter table public.invitations alter column sent_at drop not null;

create function private.invitation_links_on() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.server_setting('sign_up') is distinct from 'closed';
end
$$;

-- INVITING

-- Invites an address that has no account, mailed at `p_sent_at` (null: not mailed); returns the invitation. Where the address has
-- an account, that person becomes a member and the answer is null. Raises NOT_AUTHORIZED, ALREADY_MEMBER, and PT429.
create function private.invite_address(p_brand_id uuid, p_email text, p_role text, p_sent_at timestamptz)
returns public.invitations
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_email text := lower(private.trimmed(p_email));
  v_row public.invitations;
begin
  perform private.assert_no_invisible(v_email);
  if v_email is null then
    raise exception 'Email is required' using errcode = '22023';
  elsif length(v_email) not between 3 and 255 or v_email !~ '^[^[:space:][:cntrl:]@]+@[^[:space:][:cntrl:]@]+$' then
    raise exception 'Email is not valid' using errcode = '22023';
  end if;
  if exists (
    select from auth.users u where u.email = v_email and u.email_confirmed_at is not null and u.deleted_at is null
  ) then
    perform public.add_brand_member_by_email(p_brand_id, v_email, p_role);
    delete from public.invitations i where i.brand_id = p_brand_id and i.email = v_email;
    return null;
  end if;

  select i.* into v_row from public.invitations i where i.brand_id = p_brand_id and i.email = v_email;
  if v_row.role = 'owner' then
    perform private.assert_may_invite(p_brand_id, 'owner');
  end if;
  if v_row.id is null and (select count(*) from public.invitations i where i.brand_id = p_brand_id) >= 200 then
    raise sqlstate 'PT429' using message = 'Too many pending invitations. Withdraw some first.';
  end if;
  insert into public.invitations as i (brand_id, email, role, invited_by, sent_at)
  values (p_brand_id, v_email, p_role, private.caller_id(), p_sent_at)
  on conflict (brand_id, email) do update
    set role = excluded.role, invited_by = excluded.invited_by, sent_at = coalesce(excluded.sent_at, i.sent_at),
      expires_at = excluded.expires_at
  returning i.* into v_row;
  return v_row;
end
$$;

-- Invites an address that has no account, by mail; returns the id of the invitation. Where the address has an account, that person
-- becomes a member and the answer is null. Inviting again renews role, date and mail. Raises NOT_AUTHORIZED, INVITATIONS_OFF,
-- ALREADY_MEMBER, and PT429.
create or replace function public.invite_member(p_brand_id uuid, p_email text, p_role text default 'member') returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_role text := coalesce(p_role, 'member');
  v_row public.invitations;
begin
  perform private.assert_may_invite(p_brand_id, v_role);
  if not private.invitations_on() then
    raise exception 'INVITATIONS_OFF' using errcode = 'BY005', detail = 'This server sends no mail.';
  end if;
  v_row := private.invite_address(p_brand_id, p_email, v_role, now());
  if v_row.id is null then
    return null;
  end if;
  perform private.mail_invitation(v_row);
  return v_row.id;
end
$$;

-- Makes a link for an address that has no account, and its invitation where there is none yet; returns the token of the link, which
-- nobody can read again. Where the address has an account, that person becomes a member and the answer is null. An earlier link
-- of the same invitation stops working. Raises NOT_AUTHORIZED, INVITATIONS_OFF, ALREADY_MEMBER, and PT429.
create function public.make_invitation_link(p_brand_id uuid, p_email text, p_role text default 'member') returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_role text := coalesce(p_role, 'member');
  v_row public.invitations;
  -- 244 random bits.
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
begin
  perform private.assert_may_invite(p_brand_id, v_role);
  if not private.invitation_links_on() then
    raise exception 'INVITATIONS_OFF' using errcode = 'BY005', detail = 'Nobody can sign up on this server.';
  end if;
  if (select count(*) from private.invitation_links l
      where l.made_by = private.caller_id() and l.made_at > now() - interval '1 hour') >= 30 then
    raise sqlstate 'PT429' using message = 'Too many invitations within an hour. Try again later.';
  end if;
  v_row := private.invite_address(p_brand_id, p_email, v_role, null);
  if v_row.id is null then
    return null;
  end if;
  update private.invitation_links l set ended_as = 'replaced'
  where l.brand_id = p_brand_id and l.invitation_id = v_row.id and l.ended_as is null;
  delete from private.invitation_links l where l.brand_id = p_brand_id and l.made_at < now() - interval '30 days';
  insert into private.invitation_links (token_hash, brand_id, invitation_id, made_by)
  values (sha256(convert_to(v_token, 'UTF8')), p_brand_id, v_row.id, private.caller_id());
  perform private.record_event(p_brand_id, 'invitation_link_made',
    jsonb_build_object('email', v_row.email, 'role', v_row.role));
  return v_token;
end
$$;

-- THE END OF AN INVITATION

-- Whether a deleted invitation was withdrawn, by a person or because its inviter may no longer invite. Else it was accepted.
create function private.was_withdrawn(p_invitation public.invitations) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(current_setting('private.inviter_gone', true) = 'on' or private.is_service()
    or lower(auth.email()) <> p_invitation.email, false);
end
$$;

create function private.end_invitation_links() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.invitation_links l set ended_as = case when private.was_withdrawn(old) then 'revoked' else 'used' end
  where l.brand_id = old.brand_id and l.invitation_id = old.id and l.ended_as is null;
  return null;
end
$$;
create trigger end_links after delete on public.invitations for each row execute function private.end_invitation_links();

-- An accepted invitation is deleted too; then the line of the membership tells about it. One that was not mailed has the lines of
-- its links.
create or replace function private.record_invitation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    if new.sent_at is not null then
      perform private.record_event(new.brand_id, 'invitation_sent', jsonb_build_object('email', new.email, 'role', new.role));
    end if;
  elsif not exists (select from public.brands b where b.id = old.brand_id) then
    return null;
  elsif current_setting('private.inviter_gone', true) = 'on' then
    perform private.record_event(old.brand_id, 'invitation_withdrawn',
      jsonb_build_object('email', old.email, 'invited_by', old.invited_by, 'reason', 'inviter_gone'));
  elsif private.was_withdrawn(old) then
    perform private.record_event(old.brand_id, 'invitation_withdrawn', jsonb_build_object('email', old.email));
  end if;
  return null;
end
$$;

-- ACCEPTING

create function private.link_of_token(p_token text) returns private.invitation_links
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_link private.invitation_links;
begin
  select l.* into v_link from private.invitation_links l where l.token_hash = sha256(convert_to(p_token, 'UTF8'));
  return v_link;
end
$$;

-- The invitation of a link that works; null for every other link.
create function private.invitation_of_link(p_link private.invitation_links) returns public.invitations
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_row public.invitations;
begin
  select i.* into v_row from public.invitations i
  where i.brand_id = p_link.brand_id and i.id = p_link.invitation_id
    and p_link.ended_as is null and p_link.expires_at > now() and i.expires_at > now() and private.is_still_offered(i);
  return v_row;
end
$$;

-- Why a link does not work: used, revoked, replaced, expired; unknown where no link has this token.
create function private.why_link_ended(p_link private.invitation_links) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return case
    when p_link.token_hash is null then 'unknown'
    when p_link.ended_as is not null then p_link.ended_as
    when p_link.expires_at <= now() then 'expired'
    else 'revoked'
  end;
end
$$;

-- The bundled server asks what a link offers, before the person who opened it has an account: {"state": "open"} with the address,
-- the brand's name, the role, the inviter's name and whether the address has an account, or the reason why it does not work.
create function private.read_invitation_link(p_token text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_link private.invitation_links := private.link_of_token(p_token);
  v_row public.invitations := private.invitation_of_link(v_link);
begin
  if v_row.id is null then
    return jsonb_build_object('state', private.why_link_ended(v_link));
  end if;
  return jsonb_build_object(
    'state', 'open',
    'email', v_row.email,
    'brand', (select b.name from public.brands b where b.id = v_row.brand_id),
    'role', v_row.role,
    'invited_by', (
      select m.display_name from public.memberships m where m.brand_id = v_row.brand_id and m.user_id = v_row.invited_by),
    'has_account', exists (
      select from auth.users u where u.email = v_row.email and u.email_confirmed_at is not null and u.deleted_at is null)
  );
end
$$;

-- The bundled server asks whether the caller, who has this token, may sign up with this address where only the invited may.
create function private.may_sign_up_by_link(p_email text, p_token text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((private.invitation_of_link(private.link_of_token(p_token))).email = lower(p_email), false);
end
$$;

-- Makes the caller a member of the brand of a link, who has opened the brand by that; answers the brand. A member of the brand gets
-- its id for a link that has ended too: the answer to the first call may have been lost. Raises OTHER_ADDRESS, with the invited
-- address in the detail, LINK_ENDED, with the reason, NOT_AUTHORIZED and SECOND_FACTOR_REQUIRED.
create function public.accept_invitation_link(p_token text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_caller uuid := private.proved_caller();
  v_link private.invitation_links := private.link_of_token(p_token);
  v_row public.invitations := private.invitation_of_link(v_link);
begin
  if v_row.id is not null then
    if not exists (
      select from auth.users u where u.id = v_caller and lower(u.email) = v_row.email and u.email_confirmed_at is not null
    ) then
      raise exception 'OTHER_ADDRESS' using errcode = 'BY008', detail = v_row.email;
    end if;
    if private.take_invite(v_row.id, v_caller) is not null then
      return v_row.brand_id;
    end if;
    -- Another call has taken it in this moment.
    v_link := private.link_of_token(p_token);
  end if;
  if exists (select from public.memberships m where m.brand_id = v_link.brand_id and m.user_id = v_caller) then
    return v_link.brand_id;
  end if;
  raise exception 'LINK_ENDED' using errcode = 'BY007', detail = private.why_link_ended(v_link);
end
$$;

-- What this backend offers beyond Supabase's own calls: {"mail", "invitations", "invitation_links", "sign_up"}. Screens hide the rest.
create or replace function public.capabilities() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.caller_id() is null and not private.is_service() then
    raise exception 'NOT_AUTHORIZED';
  end if;
  return jsonb_build_object(
    'mail', coalesce(private.server_setting('mail') = 'true', false),
    'invitations', private.invitations_on(),
    'invitation_links', private.invitation_links_on(),
    'sign_up', private.server_setting('sign_up')
  );
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.make_invitation_link(uuid, text, text), public.accept_invitation_link(text)
  from public, anon, authenticated;
grant execute on function public.make_invitation_link(uuid, text, text) to authenticated, service_role;
grant execute on function public.accept_invitation_link(text) to authenticated;
