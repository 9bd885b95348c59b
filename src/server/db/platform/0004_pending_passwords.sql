-- The password that goes with the link of a sign-up, hashed: before the address is confirmed several people may have signed up
-- with it, and only the one whose link is opened gets in by their own password.
alter table auth.one_time_tokens add column password_hash text;
