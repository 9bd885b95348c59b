-- Mail that waits, and what the server can do. Whoever has something to say writes a row in the same transaction; the
-- bundled server's mailer sends it after the commit and takes the row away. No secret stands here: a link is made from the
-- row's data only when it is sent.

create table private.mail_outbox (
  id bigint generated always as identity primary key,
  -- One of the server's own, or `message`: then `data` holds the words (subject, heading, lines, button, note) and the link.
  template text not null,
  recipient text not null,
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  -- Set when nobody tries any more; the reason is the mail server's.
  given_up_at timestamptz,
  problem text
);
create index mail_outbox_by_due_idx on private.mail_outbox (due_at) where given_up_at is null;

-- What the server told at its start. A backend that tells nothing (Supabase) has no row, and offers nothing of it.
create table private.server_settings (
  only_row boolean primary key default true check (only_row),
  settings jsonb not null
);

-- The bundled server calls this at its start: {"mail": it reaches a mail server, "sign_up": "open" | "invited" | "closed"}.
create function private.on_server_settings(p_settings jsonb) returns void
language sql security definer set search_path = ''
as $$
  insert into private.server_settings (settings) values (p_settings)
  on conflict (only_row) do update set settings = excluded.settings
$$;

create function private.server_setting(p_name text) returns text
language sql stable security definer set search_path = ''
as $$
  select s.settings ->> p_name from private.server_settings s
$$;

revoke all on private.mail_outbox, private.server_settings from public, anon, authenticated;
revoke execute on all functions in schema private from public;
