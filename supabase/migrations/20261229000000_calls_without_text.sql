-- A call or a meeting is logged without a text, too: 'Call, no answer'. What it has is its time and who logged it. A note and an email have one.
alter table public.notes drop constraint notes_body_check;
alter table public.notes add constraint notes_body_check check (
  (body <> '' or kind in ('call', 'meeting')) and length(body) <= 10000);
