-- The audit log shows that a pending invitation was mailed again, and with which role. A role that a new link gives is in the line of the link.

create function private.record_renewed_invitation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.role <> old.role then
    perform private.record_event(new.brand_id, 'invitation_role_changed',
      jsonb_build_object('email', new.email, 'from', old.role, 'to', new.role));
  else
    perform private.record_event(new.brand_id, case when old.sent_at is null then 'invitation_sent' else 'invitation_sent_again' end,
      jsonb_build_object('email', new.email, 'role', new.role));
  end if;
  return null;
end
$$;
create trigger record_renewed after update on public.invitations for each row
  when (new.sent_at is distinct from old.sent_at) execute function private.record_renewed_invitation();

revoke execute on function private.record_renewed_invitation() from public;
