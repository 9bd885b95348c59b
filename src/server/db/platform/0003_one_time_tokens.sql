-- What an e-mail's link or code opens, once. Supabase's table and names; ours adds when it ends and how often a code was
-- tried. A link carries the row's id under a keyed hash of the server, and the row keeps only a hash of all of that: with
-- the table alone nobody makes a link. Without a user: the same work for an address that nobody has.
create type auth.one_time_token_type as enum (
  'confirmation_token', 'reauthentication_token', 'recovery_token', 'email_change_token_new',
  'email_change_token_current', 'phone_change_token'
);

create table auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users on delete cascade,
  token_type auth.one_time_token_type not null,
  token_hash text not null check (length(token_hash) > 0),
  relates_to text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  attempts integer not null default 0
);
create index one_time_tokens_user_id_idx on auth.one_time_tokens (user_id, token_type);
create index one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);
