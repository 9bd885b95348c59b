-- Invitations: a place in a brand for an e-mail address that has no account yet. A row is a pending invitation; accepted and
-- withdrawn ones are deleted.
-- Where the server proves addresses, whoever confirms the invited address becomes a member. Elsewhere anybody could type
-- the address, so only the link of the mail lets in. An invitation ends when its inviter may no longer offer that role.

create table public.invitations (
  brand_id uuid not null references public.brands on delete cascade,
  id uuid not null default gen_random_uuid(),
  email text not null check (email = lower(email) and length(email) between 3 and 255 and email ~ '^[^\s@]+@[^\s@]+$'),
  role text not null default 'member' check (role in ('member', 'admin', 'owner')),
  invited_by uuid,
  created_at timestamptz not null default now(),
  -- When the last mail was written, also where it only lies in the outbox folder.
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  primary key (brand_id, id),
  unique (brand_id, email)
);
-- Not unique: a second key on `id` would tell a stranger which ids exist.
create index invitations_by_id_idx on public.invitations (id);
create index invitations_by_email_idx on public.invitations (email);

-- Who sent mail to a stranger, and when. The name of a brand is free text: this limits its use for spam.
create table private.invitation_mails (
  user_id uuid not null,
  at timestamptz not null default now()
);
create index invitation_mails_by_user_idx on private.invitation_mails (user_id, at);

revoke all on public.invitations from public, anon, authenticated;
revoke all on private.invitation_mails from public, anon, authenticated;
grant select on public.invitations to authenticated;
grant select, insert, update, delete on public.invitations to service_role;

alter table public.invitations enable row level security;
create policy "admins see who is invited" on public.invitations for select to authenticated
  using (brand_id = any (array(select private.my_brand_ids('admin'))));
create policy "the secret key sees every invitation" on public.invitations to service_role using (true);

-- WHAT AN INVITATION IS WORTH

create function private.invitations_on() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce(
    private.server_setting('sign_up') <> 'closed'
      and (private.server_setting('mail') = 'true' or private.server_setting('sign_up') = 'invited'),
    false
  );
end
$$;

-- Whether a confirmed address proves that somebody reads its mail. A backend that reports nothing is Supabase, whose sign-up
-- confirms addresses by default: yes. The bundled server always reports; without this setting: no.
create function private.proves_addresses() returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return coalesce((select coalesce(s.settings ->> 'proves_addresses', '') = 'true' from private.server_settings s), true);
end
$$;

-- Whether the inviter could still offer that role. Without an inviter the secret key invited.
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

-- INVITING

-- A name as a mail may show it: short, on one line, and without anything that a mail program turns into a link.
create function private.text_for_mail(p_text text) returns text
language sql immutable set search_path = ''
as $$
  select regexp_replace(
    left(regexp_replace(p_text, '[[:cntrl:][:space:]]+', ' ', 'g'), 80),
    '([.:/@])', '\1' || U&'\2060', 'g'
  )
$$;

-- Puts the mail of an invitation into the outbox. Raises PT429 after 30 mails of the caller within an hour.
create function private.mail_invitation(p_invitation public.invitations) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_brand text;
  v_inviter text;
begin
  if (select count(*) from private.invitation_mails s
      where s.user_id = private.caller_id() and s.at > now() - interval '1 hour') >= 30 then
    raise sqlstate 'PT429' using message = 'Too many invitations within an hour. Try again later.';
  end if;
  if private.caller_id() is not null then
    insert into private.invitation_mails (user_id) values (private.caller_id());
    delete from private.invitation_mails s where s.user_id = private.caller_id() and s.at < now() - interval '1 day';
  end if;
  select private.text_for_mail(b.name) into v_brand from public.brands b where b.id = p_invitation.brand_id;
  select private.text_for_mail(m.display_name) into v_inviter from public.memberships m
  where m.brand_id = p_invitation.brand_id and m.user_id = private.caller_id();
  insert into private.mail_outbox (template, recipient, data)
  values ('message', p_invitation.email, jsonb_build_object(
    'subject', coalesce(v_inviter || ' invited you to ' || v_brand, 'You are invited to ' || v_brand),
    'heading', 'Join ' || v_brand,
    'lines', jsonb_build_array(
      coalesce(v_inviter || ' invited you', 'You are invited') || ' to work in ' || v_brand || ' as '
        || case p_invitation.role when 'member' then 'a member' when 'admin' then 'an admin' else 'an owner' end || '.',
      'The link is for ' || p_invitation.email || ' alone and works for 7 days.'),
    'button', 'Accept the invitation',
    'note', 'You do not know what this is about? Then leave it: without a click nothing happens.',
    'link', jsonb_build_object('type', 'invite', 'id', p_invitation.id, 'next', '/select-brand', 'email', p_invitation.email)
  ));
end
$$;

-- Invites an address that has no account; returns the id of the invitation. Where the address has an account, that person becomes
-- a member and the answer is null. Inviting again renews role, date and mail. Raises NOT_AUTHORIZED, INVITATIONS_OFF,
-- ALREADY_MEMBER, and PT429.
create function public.invite_member(p_brand_id uuid, p_email text, p_role text default 'member') returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_email text := lower(private.trimmed(p_email));
  v_role text := coalesce(p_role, 'member');
  v_row public.invitations;
begin
  perform private.assert_may_invite(p_brand_id, v_role);
  if not private.invitations_on() then
    raise exception 'INVITATIONS_OFF' using errcode = 'BY005', detail = 'This server sends no mail.';
  end if;
  perform private.assert_no_invisible(v_email);
  if v_email is null then
    raise exception 'Email is required' using errcode = '22023';
  elsif length(v_email) not between 3 and 255 or v_email !~ '^[^[:space:][:cntrl:]@]+@[^[:space:][:cntrl:]@]+$' then
    raise exception 'Email is not valid' using errcode = '22023';
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

-- The pending invitation, locked, where the caller may change it. Raises NOT_AUTHORIZED and NOT_FOUND.
create function private.pending_invitation(p_brand_id uuid, p_id uuid) returns public.invitations
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_row public.invitations;
begin
  perform private.assert_may_invite(p_brand_id, 'member');
  select i.* into v_row from public.invitations i where i.brand_id = p_brand_id and i.id = p_id for update;
  if not found then
    raise exception 'NOT_FOUND' using errcode = 'BY006', detail = 'The invitation was accepted or withdrawn.';
  end if;
  perform private.assert_may_invite(p_brand_id, v_row.role);
  return v_row;
end
$$;

-- Sends the mail again; the seven days start anew. Raises NOT_AUTHORIZED, INVITATIONS_OFF, NOT_FOUND, and PT429 within a minute.
create function public.resend_invitation(p_brand_id uuid, p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_row public.invitations;
begin
  perform private.assert_member(p_brand_id);
  v_row := private.pending_invitation(p_brand_id, p_id);
  if not private.invitations_on() then
    raise exception 'INVITATIONS_OFF' using errcode = 'BY005', detail = 'This server sends no mail.';
  end if;
  if v_row.sent_at > now() - interval '1 minute' then
    raise sqlstate 'PT429' using message = 'The mail was sent a moment ago. Wait a minute before sending it again.';
  end if;
  update public.invitations i set sent_at = now(), expires_at = now() + interval '7 days'
  where i.brand_id = p_brand_id and i.id = p_id
  returning i.* into v_row;
  perform private.mail_invitation(v_row);
end
$$;

-- Withdraws an invitation: its link stops working. Raises NOT_AUTHORIZED, NOT_FOUND.
create function public.withdraw_invitation(p_brand_id uuid, p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  perform private.assert_member(p_brand_id);
  perform private.pending_invitation(p_brand_id, p_id);
  delete from public.invitations i where i.brand_id = p_brand_id and i.id = p_id;
end
$$;

-- An invited address has no invisible character. A trigger and not a constraint: stored addresses stay, and can be mailed again.
create function private.check_invited_address() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.assert_no_invisible(new.email);
  return new;
end
$$;
create trigger check_address before insert or update of email on public.invitations
  for each row execute function private.check_invited_address();

-- ACCEPTING

-- Makes a user a member of every brand that has invited their proved address; answers the brands that are new to them. They have
-- not opened these brands yet.
create function private.accept_invitations_of(p_user_id uuid) returns setof uuid
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

-- The brands that the caller has joined by this call: for the sign-in of somebody who had an account before the invitation.
create function public.accept_invitations() returns uuid[]
language plpgsql volatile security definer set search_path = ''
as $$
begin
  return array(select private.accept_invitations_of(private.proved_caller()));
end
$$;

-- After an address was confirmed: at the end of the transaction, so that a link that is opened in it comes first.
create function private.accept_when_confirmed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.accept_invitations_of(new.id);
  return null;
end
$$;
create constraint trigger accept_invitations_of_new_user after insert on auth.users deferrable initially deferred
  for each row when (new.email_confirmed_at is not null) execute function private.accept_when_confirmed();
create constraint trigger accept_invitations_of_confirmed_user after update of email, email_confirmed_at on auth.users
  deferrable initially deferred
  for each row when (new.email_confirmed_at is not null
    and (old.email_confirmed_at is null or old.email is distinct from new.email))
  execute function private.accept_when_confirmed();

-- The bundled server calls this when a user opens the link of an invitation: makes the account with the invited address a
-- member, who has opened the brand by that, and answers the brand. Null where the invitation is gone or is for another address.
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

-- The bundled server asks whether this address may sign up where only the invited may. Where nothing proves addresses, only the
-- link makes the account: the form would give it to whoever types the address first.
create function private.may_sign_up(p_email text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.proves_addresses()
    and exists (select from public.invitations i where i.email = lower(p_email) and i.expires_at > now() and private.is_still_offered(i));
end
$$;

-- The bundled server asks which address the link of this invitation proves; null where the invitation is gone.
create function private.address_of_invite(p_id uuid) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select i.email from public.invitations i where i.id = p_id and i.expires_at > now() and private.is_still_offered(i));
end
$$;

-- THE END OF AN INVITATION

-- Deletes the invitations that their inviter may no longer send: they left, were removed, lost the role, or have no account.
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
create trigger end_invitations_when_leaving after delete on public.memberships
  for each row execute function private.end_invitations();
create trigger end_invitations_when_demoted after update of role on public.memberships
  for each row when (new.role <> old.role) execute function private.end_invitations();

-- Mail that waits is deleted with its invitation. A mail that is being sent at this moment goes out; its link does not work.
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

-- What this backend offers beyond Supabase's own calls: {"mail", "invitations", "sign_up"}. Screens hide the rest.
create function public.capabilities() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if private.caller_id() is null and not private.is_service() then
    raise exception 'NOT_AUTHORIZED';
  end if;
  return jsonb_build_object(
    'mail', coalesce(private.server_setting('mail') = 'true', false),
    'invitations', private.invitations_on(),
    'sign_up', private.server_setting('sign_up')
  );
end
$$;

revoke execute on all functions in schema private from public;
revoke execute on function public.invite_member(uuid, text, text), public.resend_invitation(uuid, uuid),
  public.withdraw_invitation(uuid, uuid), public.accept_invitations(), public.capabilities() from public, anon, authenticated;
grant execute on function public.invite_member(uuid, text, text), public.resend_invitation(uuid, uuid),
  public.withdraw_invitation(uuid, uuid), public.accept_invitations(), public.capabilities() to authenticated, service_role;
