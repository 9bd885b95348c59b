-- Mail that waits to be sent, and what the bundled server can do. A transaction that has something to send writes a row here;
-- the server's mailer sends it after the commit and deletes the row. No secret is stored: a link is made from the row's data
-- only when it is sent.

create table private.mail_outbox (
  id bigint generated always as identity primary key,
  -- One of the server's own templates, or `message`: then `data` holds the words (subject, heading, lines, button, note) and the link.
  template text not null,
  recipient text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  -- Set when no further attempt is made; `problem` is the mail server's reason.
  given_up_at timestamptz,
  problem text
);
create index mail_outbox_by_due_idx on private.mail_outbox (due_at) where given_up_at is null;
-- The mails of an invitation: a brand has up to 200 of them, and a mail server that is away leaves thousands of mails waiting.
create index mail_outbox_by_invitation_idx on private.mail_outbox ((data #>> '{link,id}')) where template = 'message';

-- What the server reported at its start. A backend that reports nothing (Supabase) has no row, and offers none of it.
create table private.server_settings (
  only_row boolean primary key default true check (only_row),
  settings jsonb not null
);

-- The bundled server calls this at its start: {"mail": whether it has a mail server, "sign_up": "open" | "invited" | "closed",
-- "proves_addresses": whether it confirms e-mail addresses}.
create function private.on_server_settings(p_settings jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.server_settings (settings) values (p_settings)
  on conflict (only_row) do update set settings = excluded.settings;
end
$$;

create function private.server_setting(p_name text) returns text
language plpgsql stable security definer set search_path = ''
as $$
begin
  return (select s.settings ->> p_name from private.server_settings s);
end
$$;

revoke all on private.mail_outbox, private.server_settings from public, anon, authenticated;
revoke execute on all functions in schema private from public;
