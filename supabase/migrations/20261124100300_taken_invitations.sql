-- An invitation is worth what proves it. Where the server proves addresses, whoever confirms the invited address is in. Where
-- nothing does, an address is only something that somebody typed: there its link alone lets in, which was sent to that address
-- or handed over by the inviter. And it is worth what the inviter may give: it ends with their right.

-- Whether a confirmed address says that somebody reads its mail. A backend that tells nothing about itself is Supabase, whose
-- sign-up confirms addresses unless that is switched off: yes. A server of ours always tells; one that leaves this out has
-- not been asked to prove anything: no.
create function private.proves_addresses() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((select coalesce(s.settings ->> 'proves_addresses', '') = 'true' from private.server_settings s), true);
end
$$;

-- Whether the inviter could still offer that role. (Nobody in particular: the secret key invited.)
create function private.is_still_offered(p_invitation public.invitations) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return p_invitation.invited_by is null or exists (
    select from public.memberships m
    where m.brand_id = p_invitation.brand_id and m.user_id = p_invitation.invited_by
      and (m.role = 'owner' or m.role = 'admin' and p_invitation.role <> 'owner')
  );
end
$$;

-- Lets a user into every brand that waits for their proved address; answers those that are new to them. To be let in is not
-- to have opened: the person has said nothing about the brand yet.
create or replace function private.accept_invitations_of(p_user_id uuid) returns setof uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_row public.invitations;
begin
  if not private.proves_addresses() then
    return;
  end if;
  for v_row in
    delete from public.invitations i
    using auth.users u
    where u.id = p_user_id and u.email_confirmed_at is not null and u.deleted_at is null
      and i.email = u.email and i.expires_at > now() and private.is_still_offered(i)
    returning i.*
  loop
    insert into public.memberships (brand_id, user_id, role, created_by)
    values (v_row.brand_id, p_user_id, v_row.role, v_row.invited_by)
    on conflict do nothing;
    if found then
      return next v_row.brand_id;
    end if;
  end loop;
end
$$;

-- The link of this invitation was opened, for this user, whose account has its address: lets them into its brand, which they
-- have opened by that, and answers it. Null where the invitation is gone, or is not theirs.
create function private.take_invite(p_id uuid, p_user_id uuid) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_row public.invitations;
begin
  delete from public.invitations i
  using auth.users u
  where i.id = p_id and u.id = p_user_id and u.deleted_at is null and i.email = lower(u.email) and i.expires_at > now() and private.is_still_offered(i)
  returning i.* into v_row;
  if not found then
    return null;
  end if;
  insert into public.memberships as m (brand_id, user_id, role, created_by, opened_at)
  values (v_row.brand_id, p_user_id, v_row.role, v_row.invited_by, now())
  on conflict (brand_id, user_id) do update set opened_at = now() where m.opened_at is null;
  return v_row.brand_id;
end
$$;

-- At the end of the transaction that confirms an address, so that a link that is opened in it comes first.
drop trigger accept_invitations_of_new_user on auth.users;
drop trigger accept_invitations_of_confirmed_user on auth.users;
create constraint trigger accept_invitations_of_new_user after insert on auth.users deferrable initially deferred
  for each row when (new.email_confirmed_at is not null) execute function private.accept_when_confirmed();
create constraint trigger accept_invitations_of_confirmed_user after update of email, email_confirmed_at on auth.users
  deferrable initially deferred
  for each row when (new.email_confirmed_at is not null
    and (old.email_confirmed_at is null or old.email is distinct from new.email))
  execute function private.accept_when_confirmed();

-- Where only the invited may sign up and nothing proves an address, the link makes the account: the sign-up form would give
-- it to whoever types the address first.
create or replace function private.may_sign_up(p_email text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.proves_addresses()
    and exists (select from public.invitations i where i.email = lower(p_email) and i.expires_at > now() and private.is_still_offered(i));
end
$$;

create or replace function private.address_of_invite(p_id uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select i.email from public.invitations i where i.id = p_id and i.expires_at > now() and private.is_still_offered(i));
end
$$;

-- With the inviter's right go the invitations that they could not send any more: they left, were removed, are no admin or
-- owner now, or have no account.
create function private.end_invitations() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform set_config('private.inviter_gone', 'on', true);
  delete from public.invitations i
  where i.brand_id = old.brand_id and i.invited_by = old.user_id and not private.is_still_offered(i);
  perform set_config('private.inviter_gone', '', true);
  return null;
end
$$;

create or replace function private.record_invitation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.record_event(new.brand_id, 'invitation_sent', jsonb_build_object('email', new.email, 'role', new.role));
  elsif not exists (select from public.brands b where b.id = old.brand_id) then
    return null;
  elsif current_setting('private.inviter_gone', true) = 'on' then
    perform private.record_event(old.brand_id, 'invitation_withdrawn',
      jsonb_build_object('email', old.email, 'invited_by', old.invited_by, 'reason', 'inviter_gone'));
  elsif private.is_service() or lower(auth.email()) <> old.email then
    perform private.record_event(old.brand_id, 'invitation_withdrawn', jsonb_build_object('email', old.email));
  end if;
  return null;
end
$$;

create trigger end_invitations_when_leaving after delete on public.memberships
  for each row execute function private.end_invitations();
create trigger end_invitations_when_demoted after update of role on public.memberships
  for each row when (new.role <> old.role) execute function private.end_invitations();
-- Those of today whose inviter is gone already.
do $$
begin
  perform set_config('private.inviter_gone', 'on', true);
  delete from public.invitations i where not private.is_still_offered(i);
  perform set_config('private.inviter_gone', '', true);
end
$$;

-- An invited address has no invisible character. A trigger and not a constraint: what is stored stays, and can be sent again.
create function private.check_invited_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_visible(new.email);
  return new;
end
$$;
create trigger check_address before insert or update of email on public.invitations
  for each row execute function private.check_invited_address();

create or replace function public.invite_member(p_brand_id uuid, p_email text, p_role text default 'member') returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_email text := lower(private.trimmed(p_email));
  v_role text := coalesce(p_role, 'member');
  v_row public.invitations;
begin
  perform private.assert_may_invite(p_brand_id, v_role);
  if not private.invitations_on() then
    raise exception 'INVITATIONS_OFF' using detail = 'This server sends no mail.';
  end if;
  perform private.assert_visible(v_email);
  if v_email is null then
    raise exception 'Email is required';
  elsif length(v_email) not between 3 and 255 or v_email !~ '^[^[:space:][:cntrl:]@]+@[^[:space:][:cntrl:]@]+$' then
    raise exception 'Email is not valid';
  end if;
  if exists (
    select from auth.users u where u.email = v_email and u.email_confirmed_at is not null and u.deleted_at is null
  ) then
    perform public.add_brand_member_by_email(p_brand_id, v_email, v_role);
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
  insert into public.invitations (brand_id, email, role, invited_by) values (p_brand_id, v_email, v_role, private.caller_id())
  on conflict (brand_id, email) do update
    set role = excluded.role, invited_by = excluded.invited_by, sent_at = now(), expires_at = excluded.expires_at
  returning * into v_row;
  perform private.mail_invitation(v_row);
  return v_row.id;
end
$$;

revoke execute on all functions in schema private from public;
